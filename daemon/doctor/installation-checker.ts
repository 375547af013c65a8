import type { InstallationCheck } from '../contract/doctor/installation-check.ts';
import type { Job } from '../contract/jobs.ts';
import { JobFailed } from '../jobs/errors.ts';
import type { JobProgress, JobQueue } from '../jobs/job-queue.ts';
import { deadline } from '../shared/async/deadline.ts';
import type { Clock } from '../shared/clock.ts';

interface InstallationCheckerDeps {
  readonly jobs: Pick<JobQueue, 'add' | 'saved'>;
  /** Examines the installation, and changes nothing. */
  readonly check: (progress: Pick<JobProgress, 'signal' | 'step' | 'detail'>) => Promise<InstallationCheck>;
  readonly clock: Clock;
}

const steps = [
  { name: 'python', title: 'Find Python' },
  { name: 'checks', title: 'Check the apps, the data folder and the network' },
] as const;
/** Each app is imported, which may take a minute on a small machine. */
const WITHIN_MINUTES = 15;

/** Runs the doctor's checks in a daemon: one job at a time, which can be cancelled, and the result of the last one. */
export class InstallationChecker {
  readonly #deps: InstallationCheckerDeps;
  #last: InstallationCheck | null = null;

  constructor(deps: InstallationCheckerDeps) {
    this.#deps = deps;
  }

  /** The result of the last check that ended; null: none has. */
  get last(): InstallationCheck | null {
    return this.#last;
  }

  /** @returns the job; a second request returns the one under way @throws TooManyJobs, ShuttingDown */
  async start(): Promise<Job> {
    const { jobs } = this.#deps;
    const job = jobs.add({
      ...{ kind: 'check-installation', subject: 'this installation', steps },
      work: (progress) => this.#work(progress),
    });
    await jobs.saved();
    return job;
  }

  async #work({ step, detail, signal: cancelled }: JobProgress): Promise<void> {
    const { check, clock } = this.#deps;
    using limit = deadline(clock, WITHIN_MINUTES * 60_000, tooSlow, cancelled);
    const { signal } = limit;
    // The job does not wait for what cannot be ended, such as a question to a graphics driver.
    this.#last = await Promise.race([check({ signal, step, detail }), abortOf(signal)]);
  }
}

const tooSlow = () =>
  new JobFailed({
    reason: 'timeout',
    message: `The check did not end within ${WITHIN_MINUTES} minutes.`,
    action: 'Check again when this machine has less to do.',
  });

/** Rejects with the reason of a signal. */
function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
