import { Button } from '@mantine/core';
import type { SampleApp } from '../../../daemon/contract/apps.ts';
import { InstallIcon } from '../../parts/icons.tsx';
import { Note } from '../../parts/Note.tsx';
import { hrefOf } from '../../parts/route.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isActive, latestInstall } from '../activity/install-jobs.ts';
import { JobFailureNote } from '../activity/JobFailureNote.tsx';
import { JobProgress } from '../activity/JobProgress.tsx';
import { isConnected } from '../connection/connection-slice.ts';

interface InstallControlProps {
  readonly sample: SampleApp;
  readonly primary?: boolean;
}

/** The Install button of a sample, its progress in the button's place, and why it failed if it did. */
export function InstallControl({ sample, primary = false }: InstallControlProps) {
  const { url, name, title } = sample;
  const job = useDashboard((s) => latestInstall(s.jobs, { name, address: url }));
  const refusal = useDashboard((s) => s.installRefusals[url]);
  const dismissed = useDashboard((s) => job !== undefined && s.dismissedJobs.includes(job.id));
  const dismissJob = useDashboard((s) => s.dismissJob);
  if (job && isActive(job)) return <JobProgress job={job} name={title} />;
  return (
    <>
      {refusal && <Note tone="failed" urgent title={refusal.message} />}
      {job?.failure && !dismissed && (
        <JobFailureNote
          failure={job.failure}
          actions={<a href={hrefOf('activity')}>See the log</a>}
          onDismiss={() => dismissJob(job.id)}
        />
      )}
      <div className="row">
        <InstallButton sample={sample} primary={primary} again={job?.state === 'failed'} />
      </div>
    </>
  );
}

function InstallButton({ sample, primary, again }: Required<InstallControlProps> & { readonly again: boolean }) {
  const installApp = useDashboard((s) => s.installApp);
  const asked = useDashboard((s) => s.installsAsked.includes(sample.url));
  const connected = useDashboard(isConnected);
  return (
    <Button
      variant={primary ? 'filled' : 'default'}
      leftSection={<InstallIcon size={16} />}
      disabled={!connected || asked}
      onClick={() => void installApp(sample.url)}
      aria-label={again ? `Install again: ${sample.title}` : `Install ${sample.title}`}
    >
      {again ? 'Install again' : 'Install'}
    </Button>
  );
}
