import { Switch } from '@mantine/core';
import type { AppSource } from '../../../daemon/contract/apps/app-source.ts';
import type { AppVersion, InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import { commitOf, sourceText } from '../../../daemon/contract/apps/source-text.ts';
import { hrefOf } from '../../navigation/route.ts';
import { SendButton } from '../../parts/actions/buttons.tsx';
import { callAction } from '../../parts/actions/CopyMenu.tsx';
import { useCopyOnContext } from '../../parts/actions/CopyOnContext.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { shortCommit } from '../../parts/format.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { ownAppOfSource } from '../../slices/apps/own-apps-slice.ts';
import { useCommand } from '../../store/use-command.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isActive, latestInstall } from '../activity/install-jobs.ts';
import { JobProgress } from '../activity/JobProgress.tsx';
import { ReturnButton, RollbackNote } from './RollbackNote.tsx';
import { UpdateButton } from './UpdateButton.tsx';
import { UpdateFailure } from './UpdateFailure.tsx';
import {
  againText,
  noPreviousText,
  pinHelp,
  returnHelp,
  rolledBackText,
  savedFilesText,
  trialText,
  updateCheckText,
} from './version-text.ts';
import './versions.css';

export function VersionsPanel({ app }: { readonly app: InstalledApp }) {
  return (
    <div className="stack">
      {app.rolledBack && <RollbackNote app={app} rollback={app.rolledBack} />}
      <section className="card stack" aria-labelledby="installed-version">
        <h2 id="installed-version">Installed: {app.version}</h2>
        {app.onTrial && <p>{trialText(app.previous?.version)}</p>}
        <VersionFacts version={app} />
        <UpdateSection app={app} />
        <UpdateFailure app={app} />
        <PinSwitch app={app} />
        <p className="muted small">{savedFilesText}</p>
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
              <span className="muted small">{rolledBackText(app) ?? returnHelp}</span>
            </div>
          </>
        ) : (
          <p className="muted">{noPreviousText}</p>
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
      <Fact name="Source">
        <AppSourceText source={source} />
      </Fact>
      <Fact name="Installed">
        <TimeAgo at={installedAt} />
      </Fact>
    </dl>
  );
}

const PIN_LABEL = 'Stay at this version';

/** Shows the daemon's state, so it moves when the change is saved. */
function PinSwitch({ app: { name, pinned } }: { readonly app: InstalledApp }) {
  const sendAppCommand = useDashboard((s) => s.sendAppCommand);
  const { pending, blocked } = useCommand(`app ${name}`);
  const { onContextMenu, menu } = useCopyOnContext(
    callAction('Pin', 'pinApp', { params: { appName: name }, body: { pinned: !pinned } }),
  );
  return (
    <>
      <Switch
        checked={pinned}
        onChange={(event) => void sendAppCommand(name, event.currentTarget.checked ? 'pin' : 'unpin')}
        disabled={blocked}
        aria-busy={pending}
        label={PIN_LABEL}
        // Without it, the accessible name would include the description.
        aria-label={PIN_LABEL}
        description={pinHelp}
        wrapperProps={{ onContextMenu }}
      />
      {menu}
    </>
  );
}

/** Shows the available update, or Check for updates, or Install again. */
function UpdateSection({ app }: { readonly app: InstalledApp }) {
  const { kind } = app.source;
  const job = useDashboard((s) => latestInstall(s.jobs, { name: app.name }));
  if (job && isActive(job)) return <JobProgress job={job} name={app.name} />;
  if (kind === 'folder' || kind === 'sample') return <InstallAgain app={app} />;
  return (
    <>
      {app.update ? (
        <div className="row update-row">
          <StateWord tone="busy" lasting>
            update available
          </StateWord>
          <span className="muted small">
            commit <span className="mono">{shortCommit(app.update.commit)}</span>, found{' '}
            <TimeAgo at={app.update.seenAt} />
          </span>
          <UpdateButton app={app} compact />
        </div>
      ) : (
        <UpdateCheck app={app} />
      )}
      <CheckRefusal />
    </>
  );
}

/** For folders and samples, which have no versions to compare. */
function InstallAgain({ app }: { readonly app: InstalledApp }) {
  const own = useDashboard((s) => ownAppOfSource(s.ownApps, app.source));
  return (
    <div className="row update-row">
      <span className="muted small">
        {own ? (
          <>
            Your changes apply at once when you{' '}
            <a href={hrefOf('apps', { ownAppId: own.id })}>run it from its folder</a>; otherwise when it is installed
            again.
          </>
        ) : (
          againText(app.source.kind)
        )}
      </span>
      <UpdateButton app={app} compact label="Install again" />
    </div>
  );
}

/** Checks the sources of all apps, and shows the result for this one. */
function UpdateCheck({ app }: { readonly app: InstalledApp }) {
  const check = useDashboard((s) => s.updateCheck);
  const checkForUpdates = useDashboard((s) => s.checkForUpdates);
  const checking = check.loading;
  return (
    <div className="row update-row">
      <span className="muted small" role="status">
        {checking ? (
          'Checking for updates…'
        ) : (
          <>
            {updateCheckText(app)}
            {check.value !== null && !check.error && (
              <>
                {' '}
                Checked <TimeAgo at={new Date(check.value).toISOString()} />
              </>
            )}
          </>
        )}
      </span>
      <SendButton
        disabled={checking}
        onClick={() => void checkForUpdates()}
        copies={callAction('Check for updates', 'checkForUpdates')}
      >
        Check for updates
      </SendButton>
    </div>
  );
}

function CheckRefusal() {
  const check = useDashboard((s) => s.updateCheck);
  return check.error && <Note tone="failed" urgent title={check.error.message} />;
}

/** Where an app was installed from; of an app that the user writes, with a link to its page. */
export function AppSourceText({ source }: { readonly source: AppSource }) {
  const own = useDashboard((s) => ownAppOfSource(s.ownApps, source));
  const address = <span className="mono">{sourceText(source)}</span>;
  if (!own) return address;
  return (
    <>
      your folder {address}, <a href={hrefOf('apps', { ownAppId: own.id })}>see it under Create</a>
    </>
  );
}
