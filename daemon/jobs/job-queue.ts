import { randomUUID } from 'node:crypto';
import type { Transfer, WorkStep } from '../contract/common/progress.ts';
import type { Job, JobLog } from '../contract/jobs.ts';
import type { Publish } from '../shared/async/event-bus.ts';
import { Mutex } from '../shared/async/mutex.ts';
import type { Clock } from '../shared/clock.ts';
import { ShuttingDown } from '../shared/domain-error.ts';
import type { Logger } from '../shared/logger.ts';
import { interrupted, JobNotFound, knownFailure, TooManyJobs, unexpectedFailure } from './errors.ts';
import type { JobStore, StoredJob } from './job-store.ts';

export interface JobProgress {
  /** Aborted when the job is cancelled. */
  readonly signal: AbortSignal;
  /** Begins a step; the step before is done. */
  readonly step: (name: string) => void;
  /** Sets the current activity, in one sentence. */
  readonly detail: (text: string) => void;
  readonly log: (line: string) => void;
  /** Sets the progress of a download; null once it is over. */
  readonly transfer: (transfer: Transfer | null) => void;
  readonly appName: (name: string) => void;
}

export interface JobPlan {
  readonly kind: Job['kind'];
  readonly subject: string;
  /** The name of the app if it is known from the start. */
  readonly appName?: string | null;
  readonly steps: readonly Pick<WorkStep, 'name' | 'title'>[];
  /** Rejects with JobFailed to give the reason; must clean up before it rejects. */
  readonly work: (progress: JobProgress) => Promise<void>;
}

const MAX_JOBS = 50;
const MAX_WAITING = 20;
/** Two, so that a small app does not wait for a large one, without overloading the machine with builds. */
const MAX_RUNNING = 2;
const MAX_LOG_LINES = 1_000;
const MAX_LOG_LINE = 1_000;
const STORED_LOG_LINES = 200;
const TAIL_LINES = 20;
const PUBLISH_EVERY_MS = 100;

interface Entry {
  job: Job;
  /** How it ended, while that is saved and not yet published; else null. */
  end: Partial<Job> | null;
  log: string[];
  logTruncated: boolean;
  readonly cancel: AbortController;
  /** Cancels the event of a change that is published soon; null: none is. */
  cancelEvent: (() => void) | null;
  /** Settles with the job when it has ended. */
  readonly ended: PromiseWithResolvers<Job>;
}

const newEntry = (job: Job, log: string[] = []): Entry => ({
  ...{ job, log, end: null, logTruncated: false, cancelEvent: null },
  cancel: new AbortController(),
  ended: Promise.withResolvers(),
});

interface JobQueueDeps {
  readonly store: JobStore;
  /** The data folder; errors of writes in it are distinguished from bugs. */
  readonly dataDir: string;
  readonly publish: Publish;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Runs long work as jobs, a few at once, and stores their records. */
export class JobQueue {
  readonly #deps: JobQueueDeps;
  readonly #entries = new Map<string, Entry>();
  readonly #waiting: { entry: Entry; plan: JobPlan }[] = [];
  readonly #working = new Set<Promise<void>>();
  readonly #saves = new Mutex();
  #closed = false;

  constructor(deps: JobQueueDeps) {
    this.#deps = deps;
  }

  /** Loads the records of earlier runs. Jobs that were not finished are marked as failed. */
  async load(): Promise<void> {
    const stored = await this.#deps.store.load().catch((error: unknown): StoredJob[] => {
      this.#deps.log.error('jobs: the records could not be read; starting without them', error);
      return [];
    });
    for (const { job, log } of stored) {
      const isEnded = job.endedAt !== null;
      const known = isEnded ? job : { ...job, ...this.#interrupted(job) };
      this.#entries.set(job.id, newEntry(known, log));
    }
    if (stored.some(({ job }) => job.endedAt === null)) await this.#save();
  }

  /** Newest first. */
  list(): Job[] {
    return [...this.#entries.values()].map((entry) => entry.job).reverse();
  }

  /** @throws JobNotFound */
  get(id: string): Job {
    return this.#entry(id).job;
  }

  /** Waits for the end of a job, in any state. @throws JobNotFound */
  async ended(id: string): Promise<Job> {
    const { job, ended } = this.#entry(id);
    return job.endedAt === null ? ended.promise : job;
  }

  /** @throws JobNotFound */
  log(id: string): JobLog {
    const { log, logTruncated } = this.#entry(id);
    return { lines: log, truncated: logTruncated };
  }

  /** Queues work. Work that is already queued or running returns the same job. @throws ShuttingDown, TooManyJobs */
  add(plan: JobPlan): Job {
    if (this.#closed) throw new ShuttingDown();
    for (const { job } of this.#entries.values()) {
      if (job.kind === plan.kind && job.subject === plan.subject && job.endedAt === null && !job.cancelling) return job;
    }
    const waiting = [...this.#entries.values()].filter(({ job }) => job.state === 'queued').length;
    if (waiting >= MAX_WAITING) throw new TooManyJobs(waiting);
    const entry = newEntry({
      id: randomUUID(),
      kind: plan.kind,
      subject: plan.subject,
      appName: plan.appName ?? null,
      state: 'queued',
      steps: plan.steps.map((step) => ({ ...step, state: 'pending' })),
      detail: null,
      transfer: null,
      cancelling: false,
      failure: null,
      createdAt: this.#deps.clock.now().toISOString(),
      startedAt: null,
      endedAt: null,
      logTail: [],
    });
    this.#entries.set(entry.job.id, entry);
    this.#dropOldest();
    this.#change(entry, {});
    void this.#save();
    this.#waiting.push({ entry, plan });
    queueMicrotask(() => this.#begin()); // the caller gets the queued job first
    return entry.job;
  }

  /** Settles once all changes so far are on disk. */
  saved(): Promise<void> {
    return this.#saves.idle();
  }

  /** Cancels a job; one that has ended is unchanged. @throws JobNotFound */
  cancel(id: string): Job {
    const entry = this.#entry(id);
    if (entry.job.endedAt === null) {
      this.#change(entry, entry.job.state === 'queued' ? this.#ended('cancelled') : { cancelling: true });
      entry.cancel.abort(new Error('cancelled'));
      if (entry.job.endedAt !== null) void this.#save();
    }
    return entry.job;
  }

  /** Aborts all jobs as interrupted, and waits for them. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { job, cancel } of this.#entries.values()) if (job.endedAt === null) cancel.abort(new Error('closing'));
    while (this.#working.size > 0) await Promise.all(this.#working);
    await this.#saves.idle();
  }

  /** Starts waiting jobs up to the limit. */
  #begin(): void {
    while (this.#working.size < MAX_RUNNING) {
      const next = this.#waiting.shift();
      if (!next) return;
      const work = this.#work(next.entry, next.plan).finally(() => {
        this.#working.delete(work);
        this.#begin();
      });
      this.#working.add(work);
    }
  }

  async #work(entry: Entry, plan: JobPlan): Promise<void> {
    if (entry.job.endedAt !== null) return; // cancelled while it waited
    this.#change(entry, { state: 'running', startedAt: this.#deps.clock.now().toISOString() });
    void this.#save();
    const end = await this.#endOfWork(entry, plan);
    entry.end = end;
    await this.#save(); // before it is published: the daemon after a kill knows it too
    this.#change(entry, end);
    entry.end = null;
    this.#deps.log.info(`jobs: ${plan.kind} ${plan.subject} ${entry.job.state}`);
  }

  async #endOfWork(entry: Entry, plan: JobPlan): Promise<Partial<Job>> {
    try {
      entry.cancel.signal.throwIfAborted();
      await plan.work(this.#progress(entry));
      return { ...withCurrentStep(entry.job, 'done'), ...this.#ended('done') };
    } catch (error) {
      return this.#endOf(entry, error);
    }
  }

  #endOf(entry: Entry, error: unknown): Partial<Job> {
    if (entry.cancel.signal.aborted) {
      if (this.#closed) return this.#interrupted(entry.job);
      return { ...withCurrentStep(entry.job, 'cancelled'), ...this.#ended('cancelled') };
    }
    const known = knownFailure(error, this.#deps.dataDir);
    if (!known) this.#deps.log.error(`jobs: ${entry.job.kind} failed unexpectedly`, error);
    const failure = known ?? unexpectedFailure(error, entry.log);
    return { ...withCurrentStep(entry.job, 'failed'), ...this.#ended('failed'), failure };
  }

  #progress(entry: Entry): JobProgress {
    return {
      signal: entry.cancel.signal,
      step: (name) => {
        const done = withCurrentStep(entry.job, 'done').steps;
        const steps = done.map((step) => (step.name === name ? { ...step, state: 'running' as const } : step));
        this.#change(entry, { steps, detail: null });
      },
      detail: (text) => this.#changeSoon(entry, { detail: text }),
      log: (line) => {
        if (entry.log.push(line.slice(0, MAX_LOG_LINE)) > MAX_LOG_LINES) {
          entry.log.shift();
          entry.logTruncated = true;
        }
        this.#changeSoon(entry, {});
      },
      transfer: (transfer) => this.#changeSoon(entry, { transfer }),
      appName: (appName) => this.#change(entry, { appName }),
    };
  }

  #interrupted(job: Job): Partial<Job> {
    return { ...withCurrentStep(job, 'failed'), ...this.#ended('failed'), failure: interrupted };
  }

  #ended(state: 'done' | 'failed' | 'cancelled'): Partial<Job> {
    return { state, detail: null, transfer: null, cancelling: false, endedAt: this.#deps.clock.now().toISOString() };
  }

  #change(entry: Entry, change: Partial<Job>): void {
    entry.cancelEvent?.();
    entry.cancelEvent = null;
    entry.job = { ...entry.job, ...change, logTail: entry.log.slice(-TAIL_LINES) };
    this.#deps.publish({ type: 'job.changed', job: entry.job });
    if (entry.job.endedAt !== null) entry.ended.resolve(entry.job);
  }

  /** Publishes a frequent change, at most ten times a second. */
  #changeSoon(entry: Entry, change: Partial<Job>): void {
    entry.job = { ...entry.job, ...change };
    entry.cancelEvent ??= this.#deps.clock.after(PUBLISH_EVERY_MS, () => this.#change(entry, {}));
  }

  #entry(id: string): Entry {
    const entry = this.#entries.get(id);
    if (!entry) throw new JobNotFound(id);
    return entry;
  }

  #dropOldest(): void {
    for (const [id, { job }] of this.#entries) {
      if (this.#entries.size <= MAX_JOBS) return;
      if (job.endedAt !== null) this.#entries.delete(id);
    }
  }

  #save(): Promise<void> {
    const save = () => {
      const jobs = [...this.#entries.values()].map(({ job, end, log }) => ({
        job: end === null ? job : { ...job, ...end, logTail: log.slice(-TAIL_LINES) },
        log: log.slice(-STORED_LOG_LINES),
      }));
      return this.#deps.store.save(jobs);
    };
    return this.#saves
      .run(save)
      .catch((error: unknown) => this.#deps.log.error('jobs: the records could not be written', error));
  }
}

/** The job with its running step in another state. */
function withCurrentStep(job: Job, state: WorkStep['state']): Job {
  return { ...job, steps: job.steps.map((step) => (step.state === 'running' ? { ...step, state } : step)) };
}
