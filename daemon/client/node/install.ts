import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from '../../contract/jobs.ts';
import type { DaemonClient } from '../calls.ts';

export interface WaitOptions {
  /** The time between two polls. */
  readonly pollMs?: number;
  readonly withinMs?: number;
}

/** Installs an app from an address. @returns the job, see `endOfJob` */
export async function install(daemon: DaemonClient, url: string, options?: WaitOptions): Promise<Job> {
  const { id } = await daemon.call('installApp', { body: { url } });
  return endOfJob(daemon, id, options);
}

/** Waits for the end of a job. @returns the job; still running after `withinMs` */
export async function endOfJob(
  daemon: DaemonClient,
  jobId: string,
  { pollMs = 50, withinMs = Number.POSITIVE_INFINITY }: WaitOptions = {},
): Promise<Job> {
  const end = performance.now() + withinMs;
  for (;;) {
    const job = await daemon.call('getJob', { params: { jobId } });
    if (job.endedAt !== null || performance.now() > end) return job;
    await sleep(pollMs);
  }
}
