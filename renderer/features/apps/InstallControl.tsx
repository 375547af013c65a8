import { hrefOf } from '../../navigation/route.ts';
import { SendButton } from '../../parts/actions/buttons.tsx';
import { CopyMenu, callAction } from '../../parts/actions/CopyMenu.tsx';
import { InstallIcon } from '../../parts/icons.tsx';
import { FailureNote } from '../../parts/notes/FailureNote.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isActive, latestInstall } from '../activity/install-jobs.ts';
import { DownloadPython, FoundApps, useJobFailure } from '../activity/JobFailure.tsx';
import { JobProgress } from '../activity/JobProgress.tsx';

interface InstallControlProps {
  /** `name`: that of the app, if it is known before the install. */
  readonly installable: { readonly title: string; readonly url: string; readonly name?: string };
  readonly primary?: boolean;
  /** Whether it is started, too, once it is installed. */
  readonly tries?: boolean;
  /** Why it cannot be installed now, in a sentence; null if it can. */
  readonly blockedReason?: string | null;
}

/** The Install button, replaced by the progress, and followed by the reason of a failure. */
export function InstallControl({
  installable,
  primary = false,
  tries = false,
  blockedReason = null,
}: InstallControlProps) {
  const { url, name, title } = installable;
  const job = useDashboard((s) => latestInstall(s.jobs, { address: url, ...(name !== undefined && { name }) }));
  const { failure, dismiss } = useJobFailure(job);
  const installApp = useDashboard((s) => (tries ? s.tryApp : s.installApp));
  if (job && isActive(job)) return <JobProgress job={job} name={title} />;
  const isAgain = job?.state === 'failed';
  const install = tries ? (isAgain ? 'Try again' : 'Try it') : isAgain ? 'Install again' : 'Install';
  return (
    <>
      <RefusalNote commandKey={`install ${url}`} stays />
      {failure && (
        <FailureNote
          failure={failure}
          actions={
            <>
              <DownloadPython job={job} tries={tries} />
              <a href={hrefOf('activity')}>See the log</a>
            </>
          }
          onDismiss={dismiss}
        >
          <FoundApps failure={failure} />
        </FailureNote>
      )}
      <div className="row">
        <SendButton
          commandKey={`install ${url}`}
          disabled={blockedReason !== null}
          size="sm"
          variant={primary ? 'filled' : 'default'}
          leftSection={<InstallIcon size={16} />}
          title={blockedReason ?? undefined}
          onClick={() => void installApp(url)}
          aria-label={`${install}${isAgain || tries ? ':' : ''} ${title}`}
        >
          {install}
        </SendButton>
        <CopyMenu of={title} actions={[callAction('Install', 'installApp', { body: { url } })]} />
        {/* Above a list of cards, a note says it once. */}
        {primary && blockedReason && <span className="muted small">{blockedReason}</span>}
      </div>
    </>
  );
}
