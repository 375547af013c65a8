import { Switch } from '@mantine/core';
import type { AppVersion, InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import { commitOf } from '../../../daemon/contract/apps/source-text.ts';
import { shortCommit } from '../../parts/format.ts';
import { TimeAgo } from '../../parts/Times.tsx';
import { isPending } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { AppSourceText } from './AppSourceText.tsx';
import { ReturnButton } from './ReturnButton.tsx';
import { RollbackNote } from './RollbackNote.tsx';
import { UpdateFailure } from './UpdateFailure.tsx';
import { UpdateSection } from './UpdateSection.tsx';
import { rolledBackText } from './version-text.ts';
import './versions.css';

/** Shows the installed version, its update, and the earlier version. */
export function VersionsPanel({ app }: { readonly app: InstalledApp }) {
  return (
    <div className="stack">
      {app.rolledBack && <RollbackNote app={app} rollback={app.rolledBack} />}
      <section className="card stack" aria-labelledby="installed-version">
        <h2 id="installed-version">Installed: {app.version}</h2>
        {app.onTrial && (
          <p>
            This update is on trial: if its next start fails at once,{' '}
            {app.previous ? app.previous.version : 'the earlier version'} is restored automatically.
          </p>
        )}
        <VersionFacts version={app} />
        <UpdateSection app={app} />
        <UpdateFailure app={app} />
        <PinSwitch app={app} />
        <p className="muted small">
          Apps should save in their working folder: that stays, whichever version you use. New files beside the code of
          an app are copied at each update, up to 1 GB; its changes to the files that came with it are not.
        </p>
      </section>
      <section className="card stack" aria-labelledby="version-before">
        <h2 id="version-before">
          {app.previous ? `${otherVersionText(app)}: ${app.previous.version}` : 'No earlier version'}
        </h2>
        {app.previous ? (
          <>
            <VersionFacts version={app.previous} />
            <div className="row">
              <ReturnButton app={app} />
              <span className="muted small">
                {rolledBackText(app) ?? 'Takes effect at once. You can return to the current version in the same way.'}
              </span>
            </div>
          </>
        ) : (
          <p className="muted">The next update keeps this version, so that you can return to it.</p>
        )}
      </section>
    </div>
  );
}

/** Names the kept version in the words of the note above. */
function otherVersionText({ rolledBack }: InstalledApp): string {
  if (rolledBack === null) return 'Earlier version';
  return rolledBack.automatic ? 'Rolled back' : 'Returned from';
}

function VersionFacts({ version: { source, installedAt } }: { readonly version: AppVersion }) {
  const commit = commitOf(source);
  return (
    <dl className="facts">
      {commit !== null && (
        <div>
          <dt>Commit</dt>
          <dd className="mono" title={commit}>
            {shortCommit(commit)}
          </dd>
        </div>
      )}
      <div>
        <dt>Source</dt>
        <dd>
          <AppSourceText source={source} />
        </dd>
      </div>
      <div>
        <dt>Installed</dt>
        <dd>
          <TimeAgo at={installedAt} />
        </dd>
      </div>
    </dl>
  );
}

const PIN_LABEL = 'Stay at this version';

/** Shows the daemon's state, so it moves when the change is saved. */
function PinSwitch({ app: { name, pinned } }: { readonly app: InstalledApp }) {
  const sendAppCommand = useDashboard((s) => s.sendAppCommand);
  const pending = useDashboard(isPending(`app ${name}`));
  const connected = useDashboard(isConnected);
  return (
    <Switch
      checked={pinned}
      onChange={(event) => void sendAppCommand(name, event.currentTarget.checked ? 'pin' : 'unpin')}
      disabled={!connected || pending}
      aria-busy={pending}
      label={PIN_LABEL}
      // Without it, the accessible name would include the description.
      aria-label={PIN_LABEL}
      description="No update is installed until this is switched off."
    />
  );
}
