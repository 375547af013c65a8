import { ENDS_WITHIN_MS } from '../daemon/cli/stop.ts';
import { settlesWithin } from '../daemon/shared/async/settles-within.ts';
import type { Clock } from '../daemon/shared/clock.ts';
import { errorText } from '../daemon/shared/logger.ts';
import type { ElectronHost } from './electron-host.ts';
import type { WindowDaemon } from './window-daemon.ts';

const KILL_MS = 3_000;
/** The time for Electron to close its windows and exit; it takes well under a second. */
const EXIT_MS = 5_000;
/** The time for the updater to put the newer version in place, and for Electron to exit. */
const REPLACE_MS = 60_000;

interface ProgramEndDeps {
  readonly host: Pick<ElectronHost, 'app' | 'relaunch'>;
  readonly daemon: Pick<WindowDaemon, 'stop' | 'kill'>;
  readonly die: () => void;
  readonly clock: Clock;
  /** The arguments of the start after this end. */
  readonly argsAgain: string[];
}

/**
 * Ends the program once, on every way out: the daemon stops the app and folds the robot, then Electron exits. It ends within
 * 15 s, whatever hangs; an update may take another minute.
 */
export class ProgramEnd {
  readonly #deps: ProgramEndDeps;
  /** Resolves at a second call of `begin`. */
  readonly #askedAgain = Promise.withResolvers<void>();
  #isUnderWay = false;
  #isReplacing = false;
  /** Whether the program starts again after its end. */
  opensAgain = false;

  constructor(deps: ProgramEndDeps) {
    this.#deps = deps;
  }

  /** Whether it has begun: nothing is asked, shown or started any more. */
  get isUnderWay(): boolean {
    return this.#isUnderWay;
  }

  /** Whether the updater quits the program now, which nothing may prevent. */
  get isReplacing(): boolean {
    return this.#isReplacing;
  }

  /**
   * Stops the daemon, then exits. A further call only dismisses the message.
   * @param code the exit code unless the stop fails or takes too long; then it is 1
   * @param say shows the reason in a dialog, once the robot is folded
   */
  async begin(code = 0, say?: () => Promise<void>): Promise<void> {
    if (this.#isUnderWay) return this.#askedAgain.resolve();
    const isOrderly = await this.#stopDaemon();
    if (say) await Promise.race([say(), this.#askedAgain.promise]);
    if (this.opensAgain) this.#deps.host.relaunch(this.#deps.argsAgain);
    this.#exit(isOrderly ? code : 1);
  }

  /**
   * Stops the daemon, then lets the updater replace the program and quit it. If that fails, the program exits as it is.
   * @param install does not settle unless it fails; the message of its error is a sentence for a person
   * @param say shows why it failed in a dialog
   */
  async replace(install: () => Promise<never>, say: (reason: string) => Promise<void>): Promise<void> {
    if (this.#isUnderWay) return this.#askedAgain.resolve();
    const reason = (await this.#stopDaemon()) ? await this.#replacement(install) : 'The robot was not folded in time.';
    await Promise.race([say(reason), this.#askedAgain.promise]);
    this.#exit(1);
  }

  async now(): Promise<void> {
    this.#isUnderWay = true;
    const killed = this.#deps.daemon.kill().catch((error: unknown) => console.error(errorText(error)));
    await settlesWithin(this.#deps.clock, KILL_MS, killed);
    this.#exit(1);
  }

  /** @returns whether every part of it stopped properly, in time */
  async #stopDaemon(): Promise<boolean> {
    this.#isUnderWay = true;
    const isOrderly = this.#deps.daemon.stop().catch((error: unknown) => {
      console.error(errorText(error));
      return false;
    });
    const inTime = await settlesWithin(this.#deps.clock, ENDS_WITHIN_MS, isOrderly);
    if (!inTime) console.error(`The daemon has not ended within ${ENDS_WITHIN_MS / 1000} s. Exiting without it.`);
    return inTime && isOrderly;
  }

  /** @returns why the program was not replaced; otherwise the process ends meanwhile */
  async #replacement(install: () => Promise<never>): Promise<string> {
    this.#isReplacing = true;
    const failure = install().catch((error: Error) => error.message);
    const hasFailed = await settlesWithin(this.#deps.clock, REPLACE_MS, failure);
    this.#isReplacing = false;
    return hasFailed ? failure : `It was not in place within ${REPLACE_MS / 1000} s.`;
  }

  #exit(code: number): void {
    const { host, die, clock } = this.#deps;
    clock.after(EXIT_MS, die);
    host.app.exit(code);
  }
}
