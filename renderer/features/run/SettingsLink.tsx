import { Button } from '@mantine/core';
import { useState } from 'react';
import type { SettingsPagePresence } from '../../../daemon/contract/apps/app-slot.ts';
import type { InstalledApp, SettingsPage } from '../../../daemon/contract/apps/apps.ts';
import { SettingsIcon } from '../../parts/icons.tsx';
import { runOf, titleOf } from '../../slices/apps/apps-slice.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { noSettingsText } from './run-text.ts';

/** Opens the app's settings page, if it has one. Enabled only while the page answers. */
export function SettingsLink({ app: { name, settingsPage } }: { readonly app: InstalledApp }) {
  return settingsPage && <SettingsOf name={name} page={settingsPage} />;
}

function SettingsOf({ name, page }: { readonly name: string; readonly page: SettingsPage }) {
  const title = useDashboard((s) => titleOf(s, name));
  const reason = useDashboard((s) => {
    if (!isConnected(s)) return noSettingsText.notConnected;
    const run = runOf(s.slot, name);
    return blockedReason(title, page, run === null || run.state === 'stopping' ? 'none' : run.settingsPage);
  });
  return reason === null ? (
    <OpenSettings title={title} page={page} />
  ) : (
    <NoSettingsYet key={reason} title={title} reason={reason} />
  );
}

function OpenSettings({ title, page }: { readonly title: string; readonly page: SettingsPage }) {
  return (
    <Button
      component="a"
      variant="default"
      leftSection={<SettingsIcon size={16} />}
      href={settingsAddress(page, window.location.hostname)}
      target="_blank"
      rel="noreferrer"
      aria-label={`Settings of ${title}`}
    >
      Settings
    </Button>
  );
}

/** Focusable although disabled; a press shows the reason. */
function NoSettingsYet({ title, reason }: { readonly title: string; readonly reason: string }) {
  const [pressed, setPressed] = useState(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<SettingsIcon size={16} />}
        data-disabled
        aria-disabled
        aria-label={`Settings of ${title}`}
        title={reason}
        onClick={() => setPressed(true)}
      >
        Settings
      </Button>
      <span role="status" className="settings-hint muted small">
        {pressed && reason}
      </span>
    </>
  );
}

/** Why the page cannot be opened now and what to do; null if it can. */
function blockedReason(title: string, { port }: SettingsPage, presence: SettingsPagePresence): string | null {
  switch (presence) {
    case 'none':
      return noSettingsText.notRunning(title);
    case 'waiting':
      return noSettingsText.waiting;
    case 'port-taken':
      return noSettingsText.portTaken(title, port);
    case 'answers':
      return null;
  }
}

/** Two names of this machine, which are two sites to a browser. */
const otherName: Readonly<Record<string, string>> = { '127.0.0.1': 'localhost', localhost: '127.0.0.1' };

/**
 * The URL of an app's settings page, on the host of the dashboard. On this machine it uses the other host name: cookies
 * ignore ports, and the app's server must not get the dashboard's session cookie.
 */
export function settingsAddress({ port, path }: SettingsPage, hostname: string): string {
  return `http://${otherName[hostname] ?? hostname}:${port}${path}`;
}
