import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from '../../contract/jobs.ts';
import type { DaemonClient } from '../calls.ts';

export interface Waiting {
  /** How long to wait between two looks. */
  readonly pollMs?: number;
  readonly withinMs?: number;
}

/** Installs an app from an address. @returns the job as `endOfJob` does */
export async function install(daemon: DaemonClient, url: string, waiting?: Waiting): Promise<Job> {
  const { id } = await daemon.call('installApp', { body: { url } });
  return endOfJob(daemon, id, waiting);
}

/** Waits for the end of a job. @returns the job, which has not ended if the time is up */
export async function endOfJob(
  daemon: DaemonClient,
  jobId: string,
  { pollMs = 50, withinMs = Number.POSITIVE_INFINITY }: Waiting = {},
): Promise<Job> {
  const end = performance.now() + withinMs;
  for (;;) {
    const job = await daemon.call('getJob', { params: { jobId } });
    if (job.endedAt !== null || performance.now() > end) return job;
    await sleep(pollMs);
  }
}
