import { Button } from '@mantine/core';
import { AddIcon } from '../../parts/icons.tsx';
import { EmptyState } from '../../parts/notes/EmptyState.tsx';
import { inOrder, useSteadyOrder } from '../../parts/use-steady-order.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { AddFolderDialog } from './AddFolderDialog.tsx';
import { NewAppDialog } from './NewAppDialog.tsx';
import { OwnAppCard } from './OwnAppCard.tsx';
import { emptyText, emptyTitle } from './own-app-text.ts';
import { closeDialogs, dialogsOf, openAddFolder, openNewApp } from './own-apps-address.ts';
import '../../parts/app-grid.css';
import './own-apps.css';

/** The apps that the user writes, and what creates one. `query` opens the dialogs. */
export function OwnAppsPanel({ query }: { readonly query: string }) {
  const apps = useDashboard((s) => s.ownApps.apps);
  const { newIn, add } = dialogsOf(query);
  const { list, order } = useSteadyOrder(apps.map(({ id }) => id));
  return (
    <>
      {apps.length === 0 ? (
        <EmptyState title={emptyTitle} action={<Actions />}>
          {emptyText}
        </EmptyState>
      ) : (
        <div className="stack">
          <div className="own-apps-head">
            <p className="muted">The apps that you write, each in a folder of yours.</p>
            <Actions />
          </div>
          <ul
            className="app-grid"
            aria-label="Your apps"
            ref={(element) => {
              list.current = element;
            }}
          >
            {inOrder(apps, order, ({ id }) => id).map((app) => (
              <OwnAppCard key={app.id} app={app} />
            ))}
          </ul>
        </div>
      )}
      <NewAppDialog opened={newIn !== null} destination={newIn ?? ''} onClose={closeDialogs} />
      <AddFolderDialog opened={add !== null} folder={add ?? ''} onClose={closeDialogs} />
    </>
  );
}

function Actions() {
  const connected = useDashboard(isConnected);
  return (
    <div className="row">
      <Button leftSection={<AddIcon size={16} />} disabled={!connected} onClick={openNewApp}>
        New app
      </Button>
      <Button variant="default" disabled={!connected} onClick={openAddFolder}>
        Add a folder…
      </Button>
    </div>
  );
}
