import type { AppRun, AppSlotState, SlotHolder } from '../contract/apps.ts';
import type { Now } from '../shared/clock.ts';
import type { Publish } from '../shared/event-bus.ts';
import { AppAlreadyRunning } from './errors.ts';

type Taken = Exclude<AppSlotState, { state: 'free' }>;

/** The right to the slot. Whoever took it releases it, once, whatever happens. */
export interface Lease {
  /** Tells how the holder is doing; ignored once released. */
  update(change: Partial<Pick<Taken, 'state' | 'sdk' | 'settingsPage' | 'detail'>>): void;
  /** Frees the slot; `run` is the run that ended, where the holder was one. Releasing twice is harmless. */
  release(run?: AppRun): void;
}

/** The one place that an app can occupy: every question of "may this run now?" is answered here and nowhere else. */
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

  /**
   * Takes the slot for a holder that is starting; a local app or a remote session is running at once.
   * @throws AppAlreadyRunning naming the holder; the state stays as it is
   */
  take(holder: SlotHolder): Lease {
    if (this.#state.state !== 'free') throw new AppAlreadyRunning(this.#state.holder);
    const managed = holder.kind === 'managed-app';
    const since = this.#now().toISOString();
    let taken: Taken = managed
      ? { state: 'starting', holder, since, sdk: 'waiting', settingsPage: 'none', detail: null }
      : { state: 'running', holder, since, sdk: 'connected', settingsPage: 'none', detail: null };
    let held = true;
    this.#set(taken);
    return {
      update: (change) => {
        if (!held) return;
        const moved = change.state !== undefined && change.state !== taken.state;
        taken = { ...taken, ...change, since: moved ? this.#now().toISOString() : taken.since };
        this.#set(taken);
      },
      release: (run) => {
        if (!held) return;
        held = false;
        if (run) this.#lastRun = run;
        this.#set({ state: 'free', lastRun: this.#lastRun });
      },
    };
  }

  #set(state: AppSlotState): void {
    this.#state = state;
    this.#publish({ type: 'app-slot.changed', slot: state });
  }
}
