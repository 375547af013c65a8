import { Modal } from '@mantine/core';
import type { OwnApp } from '../../../daemon/contract/apps/own-apps.ts';
import { closeDialogs, dialogsOf, openAddFolder, openNewApp } from '../../navigation/own-app-address.ts';
import { hrefOf } from '../../navigation/route.ts';
import { SendButton } from '../../parts/actions/buttons.tsx';
import { Foreign } from '../../parts/Foreign.tsx';
import { AddIcon } from '../../parts/icons.tsx';
import { EmptyState } from '../../parts/notes/EmptyState.tsx';
import { inOrder, useSteadyOrder } from '../../parts/use-steady-order.ts';
import { isBeingStopped } from '../../slices/apps/own-apps-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { AppCardFrame } from '../app-card/AppCardFrame.tsx';
import { RunNotes } from '../run/RunNotes.tsx';
import { AddFolderForm, NewAppForm } from './AddAppDialogs.tsx';
import { OwnAppControls, OwnAppState } from './OwnAppControls.tsx';
import { checkLine, emptyText, emptyTitle, installLine, listText, publishedLine } from './own-app-text.ts';
import '../../parts/app-grid.css';
import './own-apps.css';

/** The apps that the user writes, and what creates one. `query` opens the dialogs. */
export function OwnAppsPanel({ query }: { readonly query: string }) {
  const apps = useDashboard((s) => s.ownApps.apps);
  const { newIn, add } = dialogsOf(query);
  const { list, order } = useSteadyOrder<HTMLUListElement>(apps.map(({ id }) => id));
  return (
    <>
      {apps.length === 0 ? (
        <EmptyState title={emptyTitle} action={<Actions />}>
          {emptyText}
        </EmptyState>
      ) : (
        <div className="stack">
          <div className="row own-apps-head">
            <p className="muted">{listText}</p>
            <Actions />
          </div>
          <ul className="app-grid" aria-label="Your apps" ref={list}>
            {inOrder(apps, order, ({ id }) => id).map((app) => (
              <OwnAppCard key={app.id} app={app} />
            ))}
          </ul>
        </div>
      )}
      <Modal opened={newIn !== null} onClose={closeDialogs} title="New app" size="lg">
        <NewAppForm destination={newIn ?? ''} />
      </Modal>
      <Modal opened={add !== null} onClose={closeDialogs} title="Add a folder">
        <AddFolderForm suggested={add ?? ''} />
      </Modal>
    </>
  );
}

const Actions = () => (
  <div className="row">
    <SendButton primary leftSection={<AddIcon size={16} />} onClick={openNewApp}>
      New app
    </SendButton>
    <SendButton size="sm" onClick={openAddFolder}>
      Add a folder…
    </SendButton>
  </div>
);

function OwnAppCard({ app }: { readonly app: OwnApp }) {
  const { id, name, title, version, folder, icon, check, run } = app;
  const isStopping = useDashboard(isBeingStopped(app));
  const installed = useDashboard((s) => s.installedApps.find((each) => each.name === name));
  const installation = installLine(app, installed);
  return (
    <AppCardFrame
      app={{ name: name ?? '–', title, icon }}
      label={title}
      href={hrefOf('apps', { ownAppId: id })}
      state={<OwnAppState app={app} />}
      text={
        <Foreign as="p" className="muted small mono own-card-folder" title={folder}>
          {folder}
        </Foreign>
      }
    >
      <OwnAppControls app={app} />
      {name !== null && (run.state === 'running' || isStopping) && <RunNotes name={name} />}
      {run.problem !== null && <p className="small own-card-problem">{run.problem}</p>}
      {installation !== null && <p className="small muted">{installation}</p>}
      <p className="app-card-meta">
        {[version, checkLine(check), publishedLine(app)].filter((text) => text !== null).join(' · ')}
      </p>
    </AppCardFrame>
  );
}
