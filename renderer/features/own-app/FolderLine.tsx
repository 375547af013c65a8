import { Button } from '@mantine/core';
import type { OwnApp } from '../../../daemon/contract/apps/own-apps.ts';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { Foreign } from '../../parts/Foreign.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { isPending } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

/** The folder of the app, to open; or to copy, where the daemon shows no windows. */
export function FolderLine({ app: { id, folder, exists } }: { readonly app: OwnApp }) {
  const canOpen = useDashboard((s) => s.ownApps.canOpen);
  const openOwnApp = useDashboard((s) => s.openOwnApp);
  const pending = useDashboard(isPending(`own-app ${id}`, 'open'));
  const connected = useDashboard(isConnected);
  return (
    <>
      <div className="own-folder">
        <Foreign className="mono small own-folder-path" title={folder}>
          {folder}
        </Foreign>
        {canOpen ? (
          <Button
            variant="default"
            size="compact-sm"
            disabled={!connected || pending || !exists}
            loading={pending}
            onClick={() => void openOwnApp(id)}
          >
            Open folder
          </Button>
        ) : (
          <CopyButton text={() => folder} name="Copy the path of the folder" copied="Path copied" />
        )}
      </div>
      <RefusalNote commandKey={`own-app ${id}`} commands={['open']} />
    </>
  );
}
