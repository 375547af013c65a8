import { Button } from '@mantine/core';
import { useState } from 'react';
import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import type { OwnApp } from '../../../daemon/contract/apps/own-apps.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { RemoveAppDialog } from '../app-card/RemoveAppDialog.tsx';

/** The apps that were installed from the folder under names that it had before. */
export function EarlierInstalls({ app: { folder, name } }: { readonly app: OwnApp }) {
  const apps = useDashboard((s) => s.installedApps);
  const earlier = apps.filter(
    ({ name: each, source }) => each !== name && source.kind === 'folder' && source.path === folder,
  );
  return earlier.map((each) => <EarlierInstall key={each.name} app={each} now={name} />);
}

function EarlierInstall({ app, now }: { readonly app: InstalledApp; readonly now: string | null }) {
  const [removing, setRemoving] = useState(false);
  const connected = useDashboard(isConnected);
  return (
    <Note
      tone="idle"
      title={`This folder was installed as ${app.name} before its app was renamed to ${now}. That one stays installed.`}
      actions={
        <Button variant="default" size="compact-sm" disabled={!connected} onClick={() => setRemoving(true)}>
          Remove {app.name}…
        </Button>
      }
    >
      <RemoveAppDialog app={app} opened={removing} stay onClose={() => setRemoving(false)} />
    </Note>
  );
}
