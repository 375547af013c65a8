import type { SettingsPage } from '../../../daemon/contract/apps/apps.ts';

/** This machine has two names that a browser keeps apart. */
const otherName: Readonly<Record<string, string>> = { '127.0.0.1': 'localhost', localhost: '127.0.0.1' };

/**
 * An app's page as this dashboard reaches it: on the machine that the dashboard came from. On this machine under its
 * other name: cookies know no ports, and the app's server is not to be sent the one that the dashboard is signed in by.
 */
export function settingsAddress({ port, path }: SettingsPage, hostname: string): string {
  return `http://${otherName[hostname] ?? hostname}:${port}${path}`;
}
