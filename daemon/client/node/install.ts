import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from '../../contract/jobs.ts';
import type { DaemonClient } from '../calls.ts';

interface WaitOptions {
  /** The time between two polls. */
  readonly pollMs?: number;
  readonly withinMs?: number;
  /** Called at each poll. */
  readonly onJob?: (job: Job) => void;
}

interface InstallOptions extends WaitOptions {
  /** Whether a Python may be downloaded for the app. */
  readonly downloadPython?: boolean;
}

/** Installs an app from an address. @returns the job, see `endOfJob` */
export async function install(
  daemon: DaemonClient,
  url: string,
  { downloadPython, ...wait }: InstallOptions = {},
): Promise<Job> {
  const { id } = await daemon.call('installApp', { body: { url, downloadPython } });
  return endOfJob(daemon, id, wait);
}

/** Waits for the end of a job. @returns the job; still running after `withinMs` */
export async function endOfJob(
  daemon: DaemonClient,
  jobId: string,
  { pollMs = 50, withinMs = Number.POSITIVE_INFINITY, onJob = () => {} }: WaitOptions = {},
): Promise<Job> {
  const end = performance.now() + withinMs;
  for (;;) {
    const job = await daemon.call('getJob', { params: { jobId } });
    onJob(job);
    if (job.endedAt !== null || performance.now() > end) return job;
    await sleep(pollMs);
  }
}
