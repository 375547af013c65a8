import { endOfJob } from '../../client/node/install.ts';
import type { Job } from '../../contract/jobs.ts';
import type { OnDaemon } from './on-daemon.ts';
import type { JsonOption } from './print.ts';
import { ProgressLine } from './progress-line.ts';

const JOB_POLL_MS = 300;

/** Starts a job and shows its steps until it has ended. An interrupt cancels it. @throws Interrupted */
export async function followJob(
  { client, signal }: OnDaemon,
  { json }: JsonOption,
  begin: () => Promise<Job>,
): Promise<Job> {
  using progress = new ProgressLine();
  const { id } = await begin();
  const cancel = () => void client.call('cancelJob', { params: { jobId: id } }).catch(() => {});
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
  try {
    const onJob = (job: Job) => (json ? undefined : progress.showJob(job));
    const ended = await endOfJob(client, id, { pollMs: JOB_POLL_MS, onJob });
    if (ended.state === 'cancelled') signal.throwIfAborted();
    return ended;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
