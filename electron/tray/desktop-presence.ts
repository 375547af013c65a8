import { type Clock, sleepOn } from '../../daemon/shared/clock.ts';
import { afterEvent, attentionCount, type DaemonState } from './daemon-state.ts';
import type { DesktopTray } from './desktop-tray.ts';
import type { FollowDaemon } from './follow-daemon.ts';
import { endingItems, trayItems, trayToolTip } from './tray-items.ts';

/** After its events have ended, a daemon is asked for them again after this time. */
const AGAIN_MS = 5_000;
/** How often it is looked whether the icon is still shown, while no window is open. */
const LOOK_MS = 60_000;
/** A busy desktop may miss one of these looks. */
const MISSES = 2;

interface DesktopPresenceDeps {
  readonly clock: Clock;
  readonly tray: Pick<DesktopTray, 'open' | 'show' | 'problem'>;
  /** Called with the number of things that need attention, when it changes. */
  readonly onBadge: (count: number) => void;
  /** Called after each look for the icon: why it is not shown, or null. */
  readonly onNoTray: (reason: string | null) => void;
}

/** The program beside its window: the icon in the tray and the badge, which follow a daemon. */
export class DesktopPresence {
  readonly #deps: DesktopPresenceDeps;
  readonly #end = new AbortController();
  #state: DaemonState | null = null;
  #badge = 0;

  constructor(deps: DesktopPresenceDeps) {
    this.#deps = deps;
  }

  /**
   * Shows the icon, and follows a daemon.
   * @param follow called again when no more events come
   */
  begin(follow: FollowDaemon): void {
    this.#deps.tray.open();
    this.#show(null);
    void this.#follow(follow);
    void this.noTray();
  }

  /** Looks for the icon. @returns why it is not shown, in a sentence; null: it is */
  async noTray(): Promise<string | null> {
    const { tray, onNoTray } = this.#deps;
    const reason = await tray.problem();
    onNoTray(reason);
    return reason;
  }

  /** Looks for the icon again and again, while no window is open. @returns a function that ends it */
  whileHidden(onGone: () => void): () => void {
    let misses = 0;
    const look = async () => {
      misses = (await this.noTray()) === null ? 0 : misses + 1;
      if (misses === MISSES) onGone();
    };
    return this.#deps.clock.every(LOOK_MS, () => void look());
  }

  /** Says that the program ends, and follows the daemon no more. */
  end(): void {
    this.#end.abort();
    this.#deps.tray.show(endingItems, 'Robot Desktop');
  }

  async #follow(follow: FollowDaemon): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      try {
        await follow((event) => this.#show(afterEvent(this.#state, event)), signal);
      } catch {
        // The page tells why the daemon does not answer.
      }
      if (signal.aborted) return;
      this.#show(null);
      await sleepOn(this.#deps.clock, AGAIN_MS, signal).catch(() => {});
    }
  }

  #show(state: DaemonState | null): void {
    if (this.#end.signal.aborted) return;
    const { tray, onBadge } = this.#deps;
    this.#state = state;
    tray.show(trayItems(state), trayToolTip(state));
    const badge = state === null ? 0 : attentionCount(state);
    if (badge !== this.#badge) onBadge(badge);
    this.#badge = badge;
  }
}
