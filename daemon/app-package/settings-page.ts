import type { SettingsPage } from '../contract/apps/apps.ts';

/**
 * Where the page of an app is, from its `custom_app_url`. The host that is written there does not count: authors write
 * `0.0.0.0`, `localhost` or their robot's name, and the page is always on the machine that the app runs on.
 * @returns null when it is no http address with a port
 */
export function settingsPageFrom(customAppUrl: string): SettingsPage | null {
  const text = customAppUrl.trim();
  const url = URL.parse(text);
  if (url?.protocol !== 'http:') return null;
  // URL leaves out the port 80, which the SDK listens at all the same.
  const port = Number(url.port || (/^http:\/\/[^/?#]*:80(?:[/?#]|$)/i.test(text) ? 80 : 0));
  return port === 0 ? null : { port, path: url.pathname + url.search + url.hash };
}
