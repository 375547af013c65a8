import type { AppStore } from '../apps/app-store.ts';
import type { UpdateCheck } from '../apps/install/update-check.ts';
import type { PythonTools } from '../apps/python/python-tools.ts';
import type { AppResets } from '../apps/reset/app-resets.ts';
import type { AppRunner } from '../apps/run/app-runner.ts';
import { shutdownStop } from '../apps/run/process/stop-timeouts.ts';
import type { StartupApp } from '../apps/startup-app.ts';
import type { LastEnd } from '../guardian/unexpected-end.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import type { Notifications } from '../notifications/notifications.ts';
import type { OwnAppsService } from '../own-apps/own-apps.ts';
import type { Robot } from '../robot/robot.ts';
import type { SoundVolume } from '../robot/sound-volume.ts';
import { settlesWithin } from '../shared/async/settles-within.ts';
import { succeeds } from '../shared/async/succeeds.ts';
import type { Clock } from '../shared/clock.ts';
import type { DataFolderLock } from '../shared/data-folder/data-folder-lock.ts';
import type { StorageWatch } from '../shared/data-folder/storage-watch.ts';
import type { Logger } from '../shared/logger.ts';
import type { ChildProcesses } from '../shared/processes/child-processes.ts';
import type { ModelsLifecycle } from './models-lifecycle.ts';

/**
 * How long each part may hold up the next of a stop. A part that takes longer goes on beside the others until the end.
 * Together they leave a second of the cap for the sweep of the children and the release of the folder.
 */
const DEADLINES_MS = {
  /** The app is killed after 2 s, and then the robot takes up to a second to its default position. */
  app: 3_000,
  endpoints: 500,
  /** Since the begin of the stop: the fold has what the others left, 2.5 s at least. It takes 1.5 s on an idle machine. */
  foldedBy: 6_000,
  /** The control loop and the serial port. */
  robot: 500,
  /** Since the begin of the stop: jobs, and what of the above is late, such as a container that ignores its end. */
  allEndedBy: 7_000,
} as const;
/** After this the daemon kills its child processes and ends. */
export const STOP_CAP_MS = 8_000;

export interface DaemonLifecycleDeps {
  /** Takes the data folder's lock. @throws DataFolderInUse */
  readonly lock: () => Promise<DataFolderLock>;
  /** Sets aside what is in the place of the daemon's files and folders. @throws DataFolderObstructed */
  readonly clearTheWay: () => Promise<void>;
  readonly children: Pick<ChildProcesses, 'begin' | 'record' | 'sweep' | 'close'>;
  /** Whether the data folder keeps what is written. */
  readonly storage: Pick<StorageWatch, 'begin' | 'close'>;
  /** How the last daemon on the data folder ended. */
  readonly lastEnd: Pick<LastEnd, 'load' | 'report'>;
  /** The folder of work in progress; an earlier daemon may have left some. */
  readonly work: { discard(): Promise<void>; removeDiscarded(): Promise<void> };
  readonly apps: {
    load(): Promise<void>;
    readonly startupApp: Pick<StartupApp, 'watch' | 'isMissing' | 'prepare'>;
    readonly updates: Pick<UpdateCheck, 'start' | 'close'>;
    readonly resets: Pick<AppResets, 'start' | 'close'>;
    readonly store: Pick<AppStore, 'close'>;
    readonly runner: Pick<AppRunner, 'shutDown'>;
  };
  readonly ownApps: Pick<OwnAppsService, 'load' | 'close'>;
  readonly jobs: Pick<JobQueue, 'load' | 'close'>;
  readonly models: Pick<ModelsLifecycle, 'start' | 'close'>;
  readonly notifications: Pick<Notifications, 'load' | 'close'>;
  readonly volume: Pick<SoundVolume, 'load'>;
  readonly tools: Pick<PythonTools, 'python' | 'close'>;
  readonly robot: Pick<Robot, 'start' | 'ensureAwake' | 'park' | 'close'>;
  readonly server: {
    /** @returns the address. @throws AddressUnavailable */
    open(): Promise<string>;
    close(): Promise<void>;
  };
  readonly wakeUpOnStart: boolean;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Starts and stops the parts of the daemon. A failed start leaves nothing running; a stop is orderly, or forced after a limit. */
export class DaemonLifecycle {
  readonly #deps: DaemonLifecycleDeps;
  /** Held from start to end: while it is held, all children on the data folder are this daemon's. */
  #lock: DataFolderLock | null = null;
  #starting: Promise<void> = Promise.resolve();
  #stopping: Promise<boolean> | null = null;

  constructor(deps: DaemonLifecycleDeps) {
    this.#deps = deps;
  }

  /** @throws DataFolderInUse, DataFolderObstructed, AddressUnavailable; nothing is left running then */
  start(): Promise<void> {
    this.#starting = this.#start();
    return this.#starting;
  }

  /**
   * Stops every part, after a start under way has finished. A second call joins the first.
   * @returns whether every part stopped properly within 8 s; if not, child processes are killed
   */
  stop(): Promise<boolean> {
    this.#stopping ??= this.#endWithinCap();
    return this.#stopping;
  }

  /** Kills every child process at once, and leaves the robot where it is. */
  async kill(): Promise<void> {
    if (this.#lock) await this.#deps.children.sweep();
  }

  async #start(): Promise<void> {
    const { lock, dataDir, log } = this.#deps;
    this.#lock = await lock();
    const url = await this.#listen(this.#lock).catch(async (error: unknown) => {
      await this.#release();
      throw error;
    });
    this.#startBackground();
    log.info(`listening at ${url}, data in ${dataDir}`);
  }

  async #listen(lock: DataFolderLock): Promise<string> {
    const { clearTheWay, children, storage, lastEnd, work, apps, jobs, notifications, volume, server, log } =
      this.#deps;
    await clearTheWay();
    await children.begin();
    await Promise.all([apps.load(), jobs.load(), notifications.load(), volume.load(), lastEnd.load()]);
    await work.discard().catch((error: Error) => log.warn(`unfinished work is not removed: ${error.message}`));
    const url = await server.open();
    await storage.begin(async () => {
      const [failure] = await Promise.all([lock.announce(url), children.record()]); // an app's start waits for both
      if (failure) throw failure;
    });
    return url;
  }

  /** Starts the parts that no client need wait for. */
  #startBackground(): void {
    const { lastEnd, work, apps, ownApps, models, tools, log } = this.#deps;
    lastEnd.report().catch((error: Error) => log.warn(`it will be told again: ${error.message}`));
    this.#startRobot().catch((error: unknown) => log.error('robot: could not be started', error));
    work
      .removeDiscarded()
      .catch((error: Error) => log.warn(`leftovers of an earlier daemon could not be removed: ${error.message}`));
    void ownApps.load();
    apps.updates.start();
    apps.resets.start();
    models.start();
    tools.python().catch((error: Error) => log.warn(`apps: ${error.message}`));
  }

  /** Installs a missing startup app before the robot wakes up, so that the robot does not wait awake. */
  async #startRobot(): Promise<void> {
    const { apps, robot, wakeUpOnStart } = this.#deps;
    const { startupApp } = apps;
    startupApp.watch();
    robot.start({ wakeUp: wakeUpOnStart && !startupApp.isMissing });
    await startupApp.prepare();
    if (wakeUpOnStart && this.#stopping === null) robot.ensureAwake();
  }

  async #endWithinCap(): Promise<boolean> {
    const { clock, log } = this.#deps;
    const isStarted = succeeds(this.#starting); // a failed start left nothing running
    const ended = isStarted
      .then((is) => !is || this.#end())
      .catch((error: unknown) => {
        log.error('the stop failed', error);
        return false;
      });
    const isOrderly = (await settlesWithin(clock, STOP_CAP_MS, ended)) && (await ended);
    if (!isOrderly)
      await this.kill().catch((error: unknown) => log.error('child processes could not be killed', error));
    return isOrderly;
  }

  /**
   * Ends the app, the endpoints, the robot and the jobs in that order: no part that hangs keeps the robot from folding.
   * @returns whether every part stopped in time and without a failure
   */
  async #end(): Promise<boolean> {
    const { children, apps, ownApps, jobs, models, notifications, tools, robot, clock, log } = this.#deps;
    const begunAt = clock.elapsedMs();
    const leftOf = (limitMs: number) => begunAt + limitMs - clock.elapsedMs();
    log.info('stopping');
    tools.close();
    apps.updates.close();
    apps.resets.close();
    // Interrupted first, so that no work begins meanwhile or competes with the control loop; waited for last.
    const work = this.#allEnded(ownApps.close(), jobs.close(), apps.store.close());
    const app = this.#allEnded(apps.runner.shutDown(shutdownStop));
    await this.#inTime('the app', DEADLINES_MS.app, app);
    const endpoints = this.#allEnded(models.close());
    await this.#inTime('the endpoints', DEADLINES_MS.endpoints, endpoints);
    const folded = await this.#park(leftOf(DEADLINES_MS.foldedBy));
    const hardware = await this.#inTime('the robot', DEADLINES_MS.robot, this.#allEnded(robot.close()));
    const users = Promise.all([app, endpoints, work]).then((parts) => !parts.includes(false));
    const inTime = await this.#inTime('jobs or another part', leftOf(DEADLINES_MS.allEndedBy), users);
    const reported = await this.#allEnded(notifications.close()); // what ended above may have been news
    const processes = await this.#allEnded(children.sweep());
    const released = await this.#release();
    log.info('stopped');
    return folded && hardware && inTime && reported && processes && released;
  }

  /** @returns whether it is folded, or cannot be: a robot that is not connected is no failure of the stop */
  async #park(limitMs: number): Promise<boolean> {
    const { robot, clock, log } = this.#deps;
    try {
      const parked = robot.park();
      if ((await settlesWithin(clock, limitMs, parked)) && (await parked) === 'done') return true;
      log.warn('robot: not folded in time');
      return false;
    } catch (error) {
      log.warn(`robot: not folded: ${(error as Error).message}`);
      return true;
    }
  }

  /** Waits for a part up to a limit; it goes on after that. @returns whether it stopped within the limit, without a failure */
  async #inTime(name: string, limitMs: number, part: Promise<boolean>): Promise<boolean> {
    const { clock, log } = this.#deps;
    if (await settlesWithin(clock, limitMs, part)) return part;
    log.warn(`${name}: not ended within ${limitMs / 1000} s`);
    return false;
  }

  /** Releases the address, the register of children and the data folder. */
  async #release(): Promise<boolean> {
    const { server, children, storage } = this.#deps;
    const isOrderly = await this.#allEnded(storage.close(), server.close(), children.close());
    this.#lock?.release();
    this.#lock = null;
    return isOrderly;
  }

  /** Waits for parts that end concurrently, and logs failures. @returns whether all succeeded */
  async #allEnded(...parts: Promise<unknown>[]): Promise<boolean> {
    const failed = (await Promise.allSettled(parts)).filter((part) => part.status === 'rejected');
    for (const { reason } of failed) this.#deps.log.error('a part failed to stop', reason);
    return failed.length === 0;
  }
}
