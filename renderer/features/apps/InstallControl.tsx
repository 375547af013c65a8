import { Button } from '@mantine/core';
import type { SampleApp } from '../../../daemon/contract/apps/apps.ts';
import { hrefOf } from '../../navigation/route.ts';
import { InstallIcon } from '../../parts/icons.tsx';
import { FailureNote } from '../../parts/notes/FailureNote.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { isPending, refusalOf } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isActive, latestInstall } from '../activity/install-jobs.ts';
import { DownloadPython, FoundApps, useJobFailure } from '../activity/JobFailure.tsx';
import { JobProgress } from '../activity/JobProgress.tsx';

/** Something that can be installed. `name` is the app's name, if known before the install. */
interface Installable {
  readonly title: string;
  readonly url: string;
  readonly name?: string;
}

interface InstallControlProps {
  readonly installable: Installable;
  readonly primary?: boolean;
  /** Why it cannot be installed now, in a sentence; null if it can. */
  readonly blockedReason?: string | null;
}

/** The Install button, replaced by the progress, and followed by the reason of a failure. */
export function InstallControl({ installable, primary = false, blockedReason = null }: InstallControlProps) {
  const { url, name, title } = installable;
  const job = useDashboard((s) => latestInstall(s.jobs, { address: url, ...(name !== undefined && { name }) }));
  const refusal = useDashboard(refusalOf(`install ${url}`));
  const { failure, dismiss } = useJobFailure(job);
  if (job && isActive(job)) return <JobProgress job={job} name={title} />;
  return (
    <>
      {refusal && <Note tone="failed" urgent title={refusal.message} />}
      {failure && (
        <FailureNote
          failure={failure}
          actions={
            <>
              <DownloadPython job={job} />
              <a href={hrefOf('activity')}>See the log</a>
            </>
          }
          onDismiss={dismiss}
        >
          <FoundApps failure={failure} />
        </FailureNote>
      )}
      <div className="row">
        <InstallButton
          installable={installable}
          primary={primary}
          blockedReason={blockedReason}
          again={job?.state === 'failed'}
        />
        {blockedReason && <span className="muted small">{blockedReason}</span>}
      </div>
    </>
  );
}

function InstallButton({
  installable,
  primary,
  blockedReason,
  again,
}: Required<InstallControlProps> & { readonly again: boolean }) {
  const installApp = useDashboard((s) => s.installApp);
  const pending = useDashboard(isPending(`install ${installable.url}`));
  const connected = useDashboard(isConnected);
  return (
    <Button
      variant={primary ? 'filled' : 'default'}
      leftSection={<InstallIcon size={16} />}
      disabled={!connected || pending || blockedReason !== null}
      loading={pending}
      title={blockedReason ?? undefined}
      onClick={() => void installApp(installable.url)}
      aria-label={again ? `Install again: ${installable.title}` : `Install ${installable.title}`}
    >
      {again ? 'Install again' : 'Install'}
    </Button>
  );
}

/** Says where a sample comes from and whether its install needs a network. */
export function sampleOrigin({ needsNetwork }: SampleApp): string {
  return `Comes with Robot Desktop, ${needsNetwork ? 'needs the network to install' : 'installs without a network'}`;
}
