import type { SettingsPage } from '../../../daemon/contract/apps/apps.ts';

/** Two names of this machine, which are two sites to a browser. */
const otherName: Readonly<Record<string, string>> = { '127.0.0.1': 'localhost', localhost: '127.0.0.1' };

/**
 * The URL of an app's settings page, on the host of the dashboard. On this machine it uses the other host name: cookies
 * ignore ports, and the app's server must not get the dashboard's session cookie.
 */
export function settingsAddress({ port, path }: SettingsPage, hostname: string): string {
  return `http://${otherName[hostname] ?? hostname}:${port}${path}`;
}
