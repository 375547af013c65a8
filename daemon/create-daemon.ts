import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { AppInstaller } from './apps/app-installer.ts';
import { AppOutput } from './apps/app-output.ts';
import { shutdownStop } from './apps/app-process.ts';
import { AppRunner } from './apps/app-runner.ts';
import { AppSlot } from './apps/app-slot.ts';
import { appKey, InstalledApps } from './apps/installed-apps.ts';
import { programAdmission } from './apps/program-admission.ts';
import { PythonTools } from './apps/python-tools.ts';
import { RobotOrders } from './apps/robot-orders.ts';
import { readSampleApps } from './apps/sample-apps.ts';
import { StartupApp } from './apps/startup-app.ts';
import type { SampleApp } from './contract/apps.ts';
import type { DaemonSnapshot, DaemonStatus } from './contract/daemon.ts';
import { createRobot } from './create-robot.ts';
import type { DaemonOptions } from './daemon-options.ts';
import { localAccess, tokenAccess } from './http/access.ts';
import { dashboard } from './http/dashboard.ts';
import { EventStream } from './http/event-stream.ts';
import { httpApp } from './http/http-app.ts';
import { listen } from './http/listen.ts';
import { isLoopback, ownHosts, ownUrl } from './http/own-hosts.ts';
import { sdkUpgrade } from './http/sdk-upgrade.ts';
import { JobQueue } from './jobs/job-queue.ts';
import { jobStore } from './jobs/job-store.ts';
import { CHILD_MARK_VARIABLE, childEnvironment, childMark } from './shared/child-environment.ts';
import { systemNow } from './shared/clock.ts';
import { type DataFolderLock, lockDataFolder } from './shared/data-folder-lock.ts';
import { dataPaths } from './shared/data-paths.ts';
import { EventBus } from './shared/event-bus.ts';
import { createLogger } from './shared/logger.ts';
import { killUntilGone, processesWithEnvironment } from './shared/processes.ts';
import { within } from './shared/within.ts';

/** How long the sweep of what an earlier daemon left may take. */
const ORPHANS_MS = 2_000;
/** How long the robot may take to fold before the daemon ends all the same. */
const PARKING_MS = 2_500;
/** Past this a stop is ended by force. */
const STOP_CAP_MS = 8_000;

/** The daemon as a library: what Electron, the command line and the tests all run. */
export interface Daemon {
  /** Where it answers; known once started. */
  readonly url: string;
  readonly server: Server;
  /** @throws DataFolderInUse, AddressUnavailable; nothing is left running then */
  start(): Promise<void>;
  /**
   * Stops the app, parks the robot and ends. Called again, it joins the first call.
   * @returns whether all ended in order; past 8 s it ends what it started by force
   */
  stop(): Promise<boolean>;
  /** Ends every process that it started, at once, and leaves the robot where it is. The caller's process ends next. */
  kill(): Promise<void>;
}

/** Composes the daemon; every `new` is here. Nothing runs until `start`. */
export function createDaemon(options: DaemonOptions): Daemon {
  const { version, resources, host } = options;
  const log = createLogger(options.logLevel);
  const paths = dataPaths(options.dataDir);
  const childEnv = () => childEnvironment(process.env, mark);
  const now = systemNow;
  const startedAt = now().toISOString();
  const instanceId = randomUUID();
  const installerDir = join(resources.assetsDir, 'installer');

  const bus = new EventBus();
  const { publish } = bus;
  const slot = new AppSlot({ publish, now });
  const output = new AppOutput({ publish, now });
  const apps = new InstalledApps({ appsDir: paths.apps, publish, log });
  const jobs = new JobQueue({ store: jobStore(paths.jobsFile), publish, now, log });
  const tools = new PythonTools({
    toolsDir: paths.tools,
    sdkDir: join(resources.assetsDir, 'python-sdk'),
    installerDir,
    wantedPython: options.python,
    installer: options.installer,
    childEnvironment: childEnv,
    onStatus: () => publish({ type: 'daemon.changed', daemon: status() }),
    log,
  });
  const robot = createRobot({
    options,
    python: async () => (await tools.python()).executable,
    childEnvironment: childEnv,
    isSlotFree: () => slot.state.state === 'free',
    publish,
    log,
  });
  const orders = new RobotOrders({ robot, slot });
  const runner = new AppRunner({
    findApp: (name) => apps.launch(name),
    slot,
    output,
    robot,
    childEnvironment: childEnv,
    daemonUrl: () => url,
    now,
    log,
  });
  const installer = new AppInstaller({
    jobs,
    apps,
    tools,
    slot,
    workDir: paths.work,
    installerDir,
    childEnvironment: childEnv,
    now,
  });
  const startupApp = new StartupApp({
    file: paths.startupAppFile,
    forThisRun: options.startupApp,
    findApp: (name) => apps.find(name),
    findInCatalog: (name) => sampleApps.find((app) => appKey(app.name) === appKey(name))?.url ?? null,
    install: (url) => jobs.ended(installer.install(url).id),
    startApp: (name) => runner.start(name),
    slot,
    robot,
    publish,
    log,
  });
  const events = new EventStream(() => ({ type: 'snapshot', snapshot: snapshot() }));
  bus.subscribe((event) => events.publish(event));

  let url = '';
  let mark = '';
  let sampleApps: SampleApp[] = [];
  let lock: DataFolderLock | null = null;
  let closeSockets = () => {};
  const server = createServer();

  const status = (): DaemonStatus => ({
    name: 'robot-daemon',
    version,
    instanceId,
    pid: process.pid,
    startedAt,
    dataDir: paths.root,
    python: tools.status,
  });
  const snapshot = (): DaemonSnapshot => ({
    daemon: status(),
    slot: slot.state,
    installedApps: apps.list(),
    sampleApps,
    startupApp: startupApp.name,
    jobs: jobs.list(),
    robot: robot.state,
    pose: robot.pose,
    output: output.page(),
  });

  const sweepChildren = () => killUntilGone(() => processesWithEnvironment(CHILD_MARK_VARIABLE, mark), ORPHANS_MS);

  /** Ends what a daemon that was killed left running, and removes what it left half made. */
  async function sweepOrphans(): Promise<void> {
    const { killed, gone } = await sweepChildren();
    if (killed.length > 0) log.warn(`ended ${killed.length} process(es) that an earlier daemon had left running`);
    if (!gone) log.error('some processes of an earlier daemon could not be ended');
    await rm(paths.work, { recursive: true, force: true });
    await mkdir(paths.tools, { recursive: true });
  }

  async function serveHttp(): Promise<void> {
    const tokenFile = join(paths.root, 'access-token');
    const access = isLoopback(host) ? localAccess : await tokenAccess(tokenFile);
    if (!isLoopback(host)) log.info(`other machines need the access token in ${tokenFile}, as a bearer token`);
    let hosts: ReadonlySet<string> = new Set();
    const shared = { robot, access, log, hosts: () => hosts };
    server.on(
      'request',
      httpApp({
        ...shared,
        orders,
        apps,
        sampleApps,
        installer,
        startupApp,
        runner,
        slot,
        output,
        jobs,
        events,
        status,
        dashboard: (await options.dashboard?.(server)) ?? dashboard(resources.dashboardDir),
      }),
    );
    closeSockets = sdkUpgrade(server, { ...shared, admit: programAdmission({ runner, slot }), daemonVersion: version });
    const port = await listen(server, host, options.port);
    hosts = ownHosts(host, port);
    url = ownUrl(host, port);
  }

  async function start(): Promise<void> {
    lock = await lockDataFolder(paths);
    try {
      mark = await childMark(paths.root);
      await sweepOrphans();
      [sampleApps] = await Promise.all([
        readSampleApps(join(resources.assetsDir, 'sample-apps')),
        apps.load(),
        jobs.load(),
      ]);
      await startupApp.load();
      await serveHttp();
      await lock.announce(url);
    } catch (error) {
      events.close();
      closeSockets();
      server.close();
      lock.release();
      throw error;
    }
    void startRobot();
    tools.python().catch((error: Error) => log.warn(`apps: ${error.message}`));
    log.info(`listening at ${url}, data in ${paths.root}`);
  }

  /** The startup app is installed before the robot wakes up, so that it does not stand there waiting for it. */
  async function startRobot(): Promise<void> {
    startupApp.watch();
    robot.start({ wakeUp: options.wakeUpOnStart && !startupApp.isMissing });
    await startupApp.prepare();
    if (options.wakeUpOnStart && ending === null) robot.beAwake();
  }

  async function end(): Promise<void> {
    log.info('stopping');
    tools.close();
    for (const ended of await Promise.allSettled([jobs.close(), runner.shutDown(shutdownStop)])) {
      if (ended.status === 'rejected') log.error('something did not end in order', ended.reason);
    }
    await park();
    await robot.close();
    await sweepChildren();
    events.close();
    closeSockets();
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
    lock?.release();
    log.info('stopped');
  }

  async function park(): Promise<void> {
    try {
      if (!(await within(PARKING_MS, robot.park()))) log.warn('robot: it has not folded in time');
    } catch (error) {
      log.warn(`robot: it has not folded: ${(error as Error).message}`);
    }
  }

  async function endWithinCap(): Promise<boolean> {
    const inOrder = await within(STOP_CAP_MS, end()).catch((error: unknown) => {
      log.error('the daemon could not stop in order', error);
      return false;
    });
    if (!inOrder) await kill().catch((error: unknown) => log.error('its processes could not be ended', error));
    return inOrder;
  }

  async function kill(): Promise<void> {
    mark ||= await childMark(paths.root);
    await sweepChildren();
  }

  let starting: Promise<void> = Promise.resolve();
  let ending: Promise<boolean> | null = null;
  return {
    get url() {
      return url;
    },
    server,
    start: () => {
      starting = start();
      return starting;
    },
    stop: () => {
      ending ??= starting.then(endWithinCap, () => true); // a start that failed has left nothing
      return ending;
    },
    kill,
  };
}
