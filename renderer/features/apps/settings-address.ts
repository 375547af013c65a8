import type { SettingsPage } from '../../../daemon/contract/apps.ts';

/** An app's page as this dashboard reaches it: on the host that the dashboard came from. */
export function settingsAddress({ port, path }: SettingsPage, hostname: string): string {
  return `http://${hostname}:${port}${path}`;
}
