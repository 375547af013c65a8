import { Button } from '@mantine/core';
import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import { hrefOf } from '../../navigation/route.ts';
import { shortCommit } from '../../parts/format.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { TimeAgo } from '../../parts/Times.tsx';
import { ownAppOfSource } from '../../slices/apps/own-apps-slice.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isActive, latestInstall } from '../activity/install-jobs.ts';
import { JobProgress } from '../activity/JobProgress.tsx';
import { UpdateButton } from './UpdateButton.tsx';
import { versionText } from './version-text.ts';

/** Shows the available update, or Check for updates, or Install again. */
export function UpdateSection({ app }: { readonly app: InstalledApp }) {
  const { kind } = app.source;
  const job = useDashboard((s) => latestInstall(s.jobs, { name: app.name }));
  if (job && isActive(job)) return <JobProgress job={job} name={app.name} />;
  if (kind === 'folder' || kind === 'sample') return <InstallAgain app={app} />;
  return (
    <>
      {app.update ? (
        <div className="update-row">
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
    <div className="update-row">
      <span className="muted small">
        {own ? (
          <>
            Your changes apply at once when you{' '}
            <a href={hrefOf('apps', { ownAppId: own.id })}>run it from its folder</a>; otherwise when it is installed
            again.
          </>
        ) : (
          `${app.source.kind === 'folder' ? 'Changes in its folder apply' : 'A newer sample is used'} when it is installed again.`
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
  const connected = useDashboard(isConnected);
  const checking = check?.state === 'loading';
  return (
    <div className="update-row">
      <span className="muted small" role="status">
        {checking ? (
          'Checking for updates…'
        ) : (
          <>
            {updateCheckText(app)}
            {check?.state === 'loaded' && (
              <>
                {' '}
                Checked <TimeAgo at={new Date(check.value).toISOString()} />
              </>
            )}
          </>
        )}
      </span>
      <Button
        variant="default"
        size="compact-sm"
        disabled={!connected || checking}
        onClick={() => void checkForUpdates()}
      >
        Check for updates
      </Button>
    </div>
  );
}

function updateCheckText(app: InstalledApp): string {
  if (app.updateProblem !== null) return `Could not check for updates: ${app.updateProblem}`;
  // The version that was rolled back is newer; the panel below shows it.
  const { rolledBack } = app;
  return rolledBack?.automatic
    ? `No version newer than ${versionText(rolledBack.from, app)} found.`
    : 'No update found.';
}

function CheckRefusal() {
  const check = useDashboard((s) => s.updateCheck);
  return check?.state === 'failed' ? <Note tone="failed" urgent title={check.error.message} /> : null;
}
