import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { AccessTokens } from './access/access-tokens.ts';
import { DashboardSessions } from './access/dashboard-sessions.ts';
import { PythonTools } from './apps/install/python-tools.ts';
import { RobotOrders } from './apps/robot-orders.ts';
import { shutdownStop } from './apps/run/app-process.ts';
import { AppSlot } from './apps/run/app-slot.ts';
import { programAdmission } from './apps/run/program-admission.ts';
import type { DaemonSnapshot, DaemonStatus } from './contract/daemon.ts';
import { createApps } from './create-apps.ts';
import { createModels } from './create-models.ts';
import { createRobot } from './create-robot.ts';
import type { DaemonOptions } from './daemon-options.ts';
import { localAccess, tokenAccess } from './http/access.ts';
import { callerOf } from './http/caller.ts';
import { dashboard } from './http/dashboard.ts';
import { EventStream } from './http/event-stream.ts';
import { httpApp } from './http/http-app.ts';
import { listen } from './http/listen.ts';
import { isLoopback, ownHosts, ownUrl } from './http/own-hosts.ts';
import { sdkUpgrade } from './http/sdk-upgrade.ts';
import { sessionCookieName } from './http/session-cookie.ts';
import { SIGN_IN_PATH } from './http/sign-in.ts';
import { JobQueue } from './jobs/job-queue.ts';
import { jobStore } from './jobs/job-store.ts';
import { childEnvironment, childMark } from './shared/child-environment.ts';
import { systemNow } from './shared/clock.ts';
import { askedOptions, type DataFolderLock, lockDataFolder } from './shared/data-folder-lock.ts';
import { dataPaths } from './shared/data-paths.ts';
import { discardFolder, removeDiscarded } from './shared/discarded-folder.ts';
import { EventBus } from './shared/event-bus.ts';
import { keyFileSecretStore } from './shared/key-file-secret-store.ts';
import { LeaderRegister, leadersFile } from './shared/leader-register.ts';
import { createLogger } from './shared/logger.ts';
import { endOrphans } from './shared/orphans.ts';
import { within } from './shared/within.ts';

/** How long the sweep of what an earlier daemon left may take. */
const ORPHANS_MS = 2_000;
/** How long the robot may take to fold before the daemon ends all the same. */
const PARKING_MS = 2_500;
/** Past this a stop is ended by force. */
export const STOP_CAP_MS = 8_000;

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
  /** A session for the desktop program's own window, as the cookie to set there; once it listens. */
  newSessionCookie(): { readonly name: string; readonly value: string };
  /** An address that signs a browser in, for one time; once it listens. */
  newSignInUrl(): string;
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
  const secrets = options.secrets ?? keyFileSecretStore(paths.secretKeyFile);
  const shared = { options, paths, secrets, childEnvironment: childEnv, publish, now, log };
  const apps = createApps({ ...shared, slot, tools, robot, jobs, daemonUrl: () => url });
  const tokens = new AccessTokens(paths.tokensFile, { log, now });
  const sessions = new DashboardSessions(tokens);
  const models = createModels({ ...shared, isOwn: ({ host: asked }) => hosts.has(asked) });
  const events = new EventStream(() => ({ type: 'snapshot', snapshot: snapshot() }));
  bus.subscribe((event) => events.publish(event));

  let url = '';
  let hosts: ReadonlySet<string> = new Set();
  let mark = '';
  let lock: DataFolderLock | null = null;
  let leaders: LeaderRegister | null = null;
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
    installedApps: apps.installed.list(),
    sampleApps: apps.samples(),
    startupApp: apps.startupApp.name,
    store: apps.store.status,
    hubAccount: apps.hubToken.account,
    catalogSource: models.catalog.status,
    endpoints: models.endpoints.status,
    jobs: jobs.list(),
    robot: robot.state,
    pose: robot.pose,
    output: apps.output.page(),
  });

  async function sweepChildren() {
    await leaders?.written();
    return endOrphans(paths, ORPHANS_MS);
  }

  /** Ends what a daemon that was killed left running, and removes what it left half made. */
  async function sweepOrphans(): Promise<void> {
    const { killed, gone } = await sweepChildren();
    if (killed.length > 0) log.warn(`ended ${killed.length} process(es) that an earlier daemon had left running`);
    if (!gone) log.error('some processes of an earlier daemon could not be ended');
    leaders = new LeaderRegister({ file: leadersFile(paths), mark, log });
    await mkdir(paths.tools, { recursive: true });
  }

  async function serveHttp(): Promise<void> {
    const tokenFile = join(paths.root, 'access-token');
    const access = isLoopback(host) ? localAccess : await tokenAccess(tokenFile, tokens);
    if (!isLoopback(host)) log.info(`other machines need the access token in ${tokenFile}, as a bearer token`);
    const door = { robot, access, log, hosts: () => hosts };
    server.on(
      'request',
      httpApp({
        ...door,
        orders,
        apps,
        models,
        sessions,
        callerOf: callerOf({ tokens, sessions }),
        jobs,
        events,
        status,
        dashboard: (await options.dashboard?.(server)) ?? dashboard(resources.dashboardDir),
      }),
    );
    closeSockets = sdkUpgrade(server, {
      ...door,
      admit: programAdmission({ runner: apps.runner, slot }),
      daemonVersion: version,
    });
    const port = await listen(server, host, options.port);
    hosts = ownHosts(host, port);
    url = ownUrl(host, port);
  }

  async function start(): Promise<void> {
    lock = await lockDataFolder(paths, askedOptions(options));
    try {
      mark = await childMark(paths.root);
      await sweepOrphans();
      await Promise.all([apps.load(), jobs.load()]);
      await discardFolder(paths.work);
      await serveHttp();
      await lock.announce(url);
    } catch (error) {
      events.close();
      closeSockets();
      server.close();
      await leaders?.close();
      lock.release();
      throw error;
    }
    void startRobot();
    removeDiscarded(paths.work).catch((error: Error) => log.warn(`what was half made stays: ${error.message}`));
    apps.updates.start();
    models.lifecycle.start();
    tools.python().catch((error: Error) => log.warn(`apps: ${error.message}`));
    log.info(`listening at ${url}, data in ${paths.root}`);
  }

  /** The startup app is installed before the robot wakes up, so that it does not stand there waiting for it. */
  async function startRobot(): Promise<void> {
    const { startupApp } = apps;
    startupApp.watch();
    robot.start({ wakeUp: options.wakeUpOnStart && !startupApp.isMissing });
    await startupApp.prepare();
    if (options.wakeUpOnStart && ending === null) robot.beAwake();
  }

  async function end(): Promise<void> {
    log.info('stopping');
    tools.close();
    apps.updates.close();
    for (const ended of await Promise.allSettled([
      jobs.close(),
      apps.store.close(),
      models.lifecycle.close(),
      apps.runner.shutDown(shutdownStop),
    ])) {
      if (ended.status === 'rejected') log.error('something did not end in order', ended.reason);
    }
    await park();
    await robot.close();
    await sweepChildren();
    await leaders?.close();
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
    await sweepChildren();
  }

  let starting: Promise<void> = Promise.resolve();
  let ending: Promise<boolean> | null = null;
  return {
    get url() {
      return url;
    },
    server,
    newSessionCookie: () => {
      const { port } = server.address() as AddressInfo; // the address leaves the usual port out
      return { name: sessionCookieName(port), value: sessions.open() };
    },
    newSignInUrl: () => `${url}${SIGN_IN_PATH}?code=${sessions.newCode()}`,
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
