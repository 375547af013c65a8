import type { AppSlotState, SlotHolder } from '../../contract/apps/app-slot.ts';
import type { AppRun } from '../../contract/apps/runs.ts';
import type { Publish } from '../../shared/async/event-bus.ts';
import type { Now } from '../../shared/clock.ts';
import { AppAlreadyRunning } from './errors.ts';

type Taken = Exclude<AppSlotState, { state: 'free' }>;

/** The right to the slot. Its owner must release it. */
export interface Lease {
  /** Updates the state of the holder; ignored once released. */
  update(change: Partial<Pick<Taken, 'state' | 'since' | 'sdk' | 'settingsPage' | 'detail' | 'until' | 'alive'>>): void;
  /** Frees the slot; `run` is the run that ended, if the holder was a run. Releasing twice is harmless. */
  release(run?: AppRun): void;
  /** Passes the slot to the next holder without freeing it in between. This lease ends. */
  passTo(holder: SlotHolder, run?: AppRun): Lease;
}

/** The one slot that an app can occupy. It alone decides whether an app may run now. */
export class AppSlot {
  readonly #publish: Publish;
  readonly #now: Now;
  #state: AppSlotState = { state: 'free', lastRun: null };
  #lastRun: AppRun | null = null;

  constructor(deps: { publish: Publish; now: Now }) {
    this.#publish = deps.publish;
    this.#now = deps.now;
  }

  get state(): AppSlotState {
    return this.#state;
  }

  /** Sets the last run of an earlier daemon. */
  remember(run: AppRun): void {
    this.#lastRun = run;
    if (this.#state.state === 'free') this.#set({ state: 'free', lastRun: run });
  }

  /**
   * Takes the slot for a managed app that is starting, or for a local app or remote session that is already running.
   * @throws AppAlreadyRunning naming the holder; the state is unchanged
   */
  take(holder: SlotHolder): Lease {
    if (this.#state.state !== 'free') throw new AppAlreadyRunning(this.#state.holder);
    return this.#lend(holder);
  }

  #lend(holder: SlotHolder): Lease {
    const managed = holder.kind === 'managed-app';
    let taken: Taken = {
      state: managed ? 'starting' : 'running',
      holder,
      since: this.#now().toISOString(),
      sdk: managed ? 'waiting' : 'connected',
      settingsPage: 'none',
      detail: null,
      until: null,
      alive: [],
    };
    let held = true;
    const end = (run: AppRun | undefined) => {
      held = false;
      if (run) this.#lastRun = run;
    };
    this.#set(taken);
    return {
      update: (change) => {
        if (!held) return;
        const moved = change.state !== undefined && change.state !== taken.state;
        taken = { ...taken, ...(moved && { since: this.#now().toISOString() }), ...change };
        this.#set(taken);
      },
      release: (run) => {
        if (!held) return;
        end(run);
        this.#set({ state: 'free', lastRun: this.#lastRun });
      },
      passTo: (next, run) => {
        if (!held) throw new Error('a lease that has ended cannot be passed on');
        end(run);
        return this.#lend(next);
      },
    };
  }

  #set(state: AppSlotState): void {
    this.#state = state;
    this.#publish({ type: 'app-slot.changed', slot: state });
  }
}
