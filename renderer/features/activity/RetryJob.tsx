import { Button } from '@mantine/core';
import type { Job } from '../../../daemon/contract/jobs.ts';
import { hrefOfPublish } from '../../navigation/own-app-address.ts';
import { hrefOf } from '../../navigation/route.ts';
import { ownAppOfJob } from '../../slices/apps/own-apps-slice.ts';
import { isPending } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { subjectTitle } from './install-jobs.ts';
import { kindText, ownAppLinkText } from './job-text.ts';

/** Begins the job again; a check or a publication from the page of its app. */
export function RetryJob({ job }: { readonly job: Job }) {
  return isOfOwnApp(job) ? <OwnAppLink job={job} /> : <TryAgain job={job} />;
}

const isOfOwnApp = ({ kind }: Job): boolean => kind === 'check-app' || kind === 'publish-app';

function OwnAppLink({ job }: { readonly job: Job }) {
  const app = useDashboard((s) => ownAppOfJob(s.ownApps, job));
  if (!app) return null;
  return (
    <Button
      component="a"
      variant="default"
      size="compact-sm"
      href={hrefOfResult(job, app.id)}
      aria-label={`${ownAppLinkText(job)} of ${app.title}`}
    >
      {ownAppLinkText(job)}
    </Button>
  );
}

/** The part of the page of an own app that puts right why a job failed, or shows how it ended. */
function hrefOfResult({ kind, failure }: Job, ownAppId: string): string {
  if (failure?.reason === 'changed-elsewhere') return hrefOfPublish(ownAppId);
  const isCheck = kind === 'check-app' || failure?.reason === 'problems-found';
  return hrefOf('apps', { ownAppId, tab: isCheck ? 'check' : 'publish' });
}

function TryAgain({ job }: { readonly job: Job }) {
  const installApp = useDashboard((s) => s.installApp);
  const sendAppCommand = useDashboard((s) => s.sendAppCommand);
  const installLlamaServer = useDashboard((s) => s.installLlamaServer);
  const pending = useDashboard(isPending(job.kind === 'install-runtime' ? 'runtimes' : `install ${job.subject}`));
  const connected = useDashboard(isConnected);
  const title = useDashboard((s) => subjectTitle(job, s));
  function retry(): void {
    if (job.kind === 'install-runtime') void installLlamaServer();
    else if (job.kind === 'update-app' && job.appName !== null) void sendAppCommand(job.appName, 'update');
    else void installApp(job.subject);
  }
  return (
    <Button
      variant="default"
      size="compact-sm"
      disabled={!connected || pending}
      loading={pending}
      onClick={retry}
      aria-label={`Try again to ${kindText(job).noun} ${title}`}
    >
      Try again
    </Button>
  );
}
