import type { AppSlot } from '../apps/run/app-slot.ts';
import type { AppSlotState } from '../contract/apps/app-slot.ts';
import type { Job } from '../contract/jobs.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import type { Clock } from '../shared/clock.ts';
import { Conflict } from '../shared/domain-error.ts';

/** Nothing starts the daemon again: a terminal or a service did, and knows how. */
export class RestartImpossible extends Conflict {
  constructor() {
    super('This daemon cannot start itself again. Restart it where it was started: in a terminal, or as a service.');
  }
}

export class WorkUnderWay extends Conflict {
  constructor(work: string) {
    super(`${work} A restart ends it.`);
  }
}

interface DaemonRestartDeps {
  /** Ends the program in order, and starts it again; undefined: it cannot. */
  readonly restart: (() => void) | undefined;
  readonly slot: Pick<AppSlot, 'state'>;
  readonly jobs: Pick<JobQueue, 'list'>;
  readonly clock: Pick<Clock, 'after'>;
}

/** The time for the reply, before the end closes all connections. */
const REPLY_MS = 200;

/** Restarts the daemon on request, where its program can do that. */
export class DaemonRestart {
  readonly #deps: DaemonRestartDeps;

  constructor(deps: DaemonRestartDeps) {
    this.#deps = deps;
  }

  /**
   * Restarts in a moment.
   * @param options.interrupt also while an app runs or a job is under way
   * @throws RestartImpossible, WorkUnderWay
   */
  request({ interrupt }: { readonly interrupt: boolean }): void {
    const { restart, slot, jobs, clock } = this.#deps;
    if (!restart) throw new RestartImpossible();
    const work = workText(slot.state, jobs.list());
    if (work !== null && !interrupt) throw new WorkUnderWay(work);
    clock.after(REPLY_MS, restart);
  }
}

/** The work that a restart ends, in a sentence; null: there is none. The models start again by themselves. */
function workText(slot: AppSlotState, jobs: readonly Job[]): string | null {
  const active = jobs.filter(({ endedAt }) => endedAt === null).length;
  const jobsText = active === 0 ? null : active === 1 ? 'a job is under way' : `${active} jobs are under way`;
  const runs = slot.state === 'free' ? null : `${holderText(slot)} runs`;
  const text = [runs, jobsText].filter((part) => part !== null).join(', and ');
  return text === '' ? null : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

const holderText = ({ holder }: Exclude<AppSlotState, { state: 'free' }>): string =>
  `"${holder.kind === 'managed-app' ? holder.appName : holder.name}"`;
