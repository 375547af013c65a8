import type { SettingsPage } from '../contract/apps/apps.ts';

/**
 * The settings page of an app, from its `custom_app_url`. The host is ignored: authors write `0.0.0.0`, `localhost` or
 * their robot's name, and the page is always on the machine of the app.
 * @returns null when it is not an http address with a port
 */
export function settingsPageFrom(customAppUrl: string): SettingsPage | null {
  const text = customAppUrl.trim();
  const url = URL.parse(text);
  if (url?.protocol !== 'http:') return null;
  // URL omits the port 80, at which the SDK may listen.
  const port = Number(url.port || (/^http:\/\/[^/?#]*:80(?:[/?#]|$)/i.test(text) ? 80 : 0));
  return port === 0 ? null : { port, path: url.pathname + url.search + url.hash };
}
