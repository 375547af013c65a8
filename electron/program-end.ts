import { ENDS_WITHIN_MS } from '../daemon/cli/stop.ts';
import { settlesWithin } from '../daemon/shared/async/settles-within.ts';
import type { Clock } from '../daemon/shared/clock.ts';
import { errorText } from '../daemon/shared/logger.ts';
import type { ElectronHost } from './electron-host.ts';
import type { WindowDaemon } from './window-daemon.ts';

const KILL_MS = 3_000;
/** The time for Electron to close its windows and exit; it takes well under a second. */
const EXIT_MS = 5_000;

interface ProgramEndDeps {
  readonly host: Pick<ElectronHost, 'app'>;
  readonly daemon: Pick<WindowDaemon, 'stop' | 'kill'>;
  readonly die: () => void;
  readonly clock: Clock;
}

/**
 * Ends the program once, on every way out: the daemon stops the app and folds the robot, then Electron exits. It ends within
 * 15 s, whatever hangs.
 */
export class ProgramEnd {
  readonly #deps: ProgramEndDeps;
  /** Resolves at a second call of `begin`. */
  readonly #askedAgain = Promise.withResolvers<void>();
  #isUnderWay = false;
  /** Whether the program starts again after its end. */
  opensAgain = false;

  constructor(deps: ProgramEndDeps) {
    this.#deps = deps;
  }

  /** Whether it has begun: nothing is asked, shown or started any more. */
  get isUnderWay(): boolean {
    return this.#isUnderWay;
  }

  /**
   * Stops the daemon, then exits. A further call only dismisses the message.
   * @param code the exit code unless the stop fails or takes too long; then it is 1
   * @param say shows the reason in a dialog, once the robot is folded
   */
  async begin(code = 0, say?: () => Promise<void>): Promise<void> {
    if (this.#isUnderWay) return this.#askedAgain.resolve();
    this.#isUnderWay = true;
    const isOrderly = this.#deps.daemon.stop().catch((error: unknown) => {
      console.error(errorText(error));
      return false;
    });
    const inTime = await settlesWithin(this.#deps.clock, ENDS_WITHIN_MS, isOrderly);
    if (!inTime) console.error(`The daemon has not ended within ${ENDS_WITHIN_MS / 1000} s. Exiting without it.`);
    if (say) await Promise.race([say(), this.#askedAgain.promise]);
    if (this.opensAgain) this.#deps.host.app.relaunch();
    this.#exit(inTime && (await isOrderly) ? code : 1);
  }

  async now(): Promise<void> {
    this.#isUnderWay = true;
    const killed = this.#deps.daemon.kill().catch((error: unknown) => console.error(errorText(error)));
    await settlesWithin(this.#deps.clock, KILL_MS, killed);
    this.#exit(1);
  }

  #exit(code: number): void {
    const { host, die, clock } = this.#deps;
    clock.after(EXIT_MS, die);
    host.app.exit(code);
  }
}
