import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { asksThisMachine } from './access/access-token-file.ts';
import { AccessTokens } from './access/access-tokens.ts';
import { DashboardSessions } from './access/dashboard-sessions.ts';
import { IssuedTokens } from './access/issued-tokens.ts';
import { RunTokens } from './access/run-tokens.ts';
import { SIGN_IN_PATH } from './access/sign-in-codes.ts';
import { TokenUses } from './access/token-uses.ts';
import { InstalledPythons } from './apps/python/installed-pythons.ts';
import { PythonTools } from './apps/python/python-tools.ts';
import { MotionsById, RobotCommands } from './apps/robot-commands.ts';
import { AppSlot } from './apps/run/app-slot.ts';
import { programAdmission } from './apps/run/program-admission.ts';
import type { DaemonStatus, PythonStatus } from './contract/daemon.ts';
import type { DaemonEvent } from './contract/events.ts';
import { type AppsDeps, createApps } from './create-apps.ts';
import { type BaseParts, createBase } from './create-base.ts';
import { createDoctor } from './create-doctor.ts';
import { createGateway } from './create-gateway.ts';
import { createModels, type Models } from './create-models.ts';
import { createNotifications } from './create-notifications.ts';
import { createOwnAppList, createOwnApps, publishedAddresses } from './create-own-apps.ts';
import { createRobot } from './create-robot.ts';
import type { DaemonOptions } from './daemon-options.ts';
import { LastEnd } from './guardian/unexpected-end.ts';
import { DaemonServer } from './http/daemon-server.ts';
import { dashboard } from './http/dashboard.ts';
import { EventStream } from './http/event-stream.ts';
import { GATEWAY_PATH } from './http/requests/operation-paths.ts';
import { authentication } from './http/security/authentication.ts';
import { RequestSources } from './http/security/request-sources.ts';
import { sessionCookieName } from './http/security/session-cookie.ts';
import { JobQueue } from './jobs/job-queue.ts';
import { jobStore } from './jobs/job-store.ts';
import { DaemonLifecycle } from './lifecycle/daemon-lifecycle.ts';
import { DaemonRestart } from './lifecycle/daemon-restart.ts';
import { OwnMoves } from './robot/own-moves.ts';
import { SoundVolume } from './robot/sound-volume.ts';
import { lockAfterGuardian, savedOptions } from './shared/data-folder/data-folder-lock.ts';
import { clearTheWay } from './shared/data-folder/obstacles.ts';
import { type StorageProblem, StorageWatch } from './shared/data-folder/storage-watch.ts';
import { noDesktop } from './shared/desktop-host.ts';
import { discardFolder, removeDiscarded } from './shared/files/discarded-folder.ts';

/** The daemon as a library, for Electron, the command line and tests. */
export interface Daemon {
  /** Its address; known once started. */
  readonly url: string;
  readonly server: Server;
  /** @throws DataFolderInUse, DataFolderObstructed, AddressUnavailable; nothing is left running then */
  start(): Promise<void>;
  /**
   * Stops the app, folds the robot and ends. A second call joins the first.
   * @returns whether every part stopped properly within 8 s; if not, child processes are killed
   */
  stop(): Promise<boolean>;
  /** Why nothing can be saved, as on a full disk; null: everything is. */
  readonly storageProblem: StorageProblem | null;
  /** The session cookie for the desktop program's own window. Only while the daemon listens. */
  newSessionCookie(): { readonly name: string; readonly value: string };
  /** The token that programs of this machine need; null: none. Known once started. */
  readonly accessToken: string | null;
  /** An address that signs a browser in once. Only while the daemon listens. */
  newSignInUrl(): string;
  /** Calls the listener, which must not throw, with the current state, then with each event. @returns a function that ends it */
  watch(listener: (event: DaemonEvent) => void): () => void;
  /** Kills every child process at once, and leaves the robot where it is. The caller must exit next. */
  kill(): Promise<void>;
}

/** Composes the daemon. Every `new` is in a `create` function, here or in a file next to it. Nothing runs until `start`. */
export function createDaemon(options: DaemonOptions): Daemon {
  const { base, bus, children } = createBase(options);
  const { paths, address, clock, log } = base;
  const parts = createDomain(base);
  const { server, sessions, events } = createServer(base, parts);
  bus.subscribe((event) => events.publish(event));
  const lifecycle = new DaemonLifecycle({
    ...parts,
    models: parts.models.lifecycle,
    lock: () => lockAfterGuardian(paths, savedOptions(options), log),
    clearTheWay: () => clearTheWay(paths, { now: clock.now, log }),
    children,
    work: { discard: () => discardFolder(paths.work), removeDiscarded: () => removeDiscarded(paths.work) },
    server,
    wakeUpOnStart: options.wakeUpOnStart,
    dataDir: paths.root,
    clock,
    log,
  });
  return {
    get url() {
      return address.url;
    },
    server: server.server,
    get accessToken() {
      return server.accessToken;
    },
    get storageProblem() {
      return parts.storage.problem;
    },
    start: () => lifecycle.start(),
    stop: () => lifecycle.stop(),
    kill: () => lifecycle.kill(),
    watch: (listener) => {
      listener(snapshotOf(parts, clock.now()));
      return bus.subscribe(listener);
    },
    newSessionCookie: () => ({ name: sessionCookieName(address.port), value: sessions.open() }),
    newSignInUrl: () => `${address.url}${SIGN_IN_PATH}?code=${sessions.newCode()}`,
  };
}

type Domain = ReturnType<typeof createDomain>;

function createDomain(base: BaseParts) {
  const { options, paths, secrets, address, childEnvironment, publish, clock, log } = base;
  const { version, resources } = options;
  const identity: Omit<DaemonStatus, 'python' | 'secrets' | 'storageProblem' | 'unexpectedEnd' | 'desktop'> = {
    name: 'robot-daemon',
    version,
    instanceId: randomUUID(),
    pid: process.pid,
    startedAt: clock.now().toISOString(),
    dataDir: paths.root,
    ...(options.restart && { canRestart: true as const }),
    ...(options.terminal && { terminal: options.terminal }),
  };
  const statusWith = (python: PythonStatus): DaemonStatus => {
    const keeping = secrets.keeping();
    return {
      ...identity,
      python,
      ...(keeping && { secrets: keeping }),
      ...(storage.problem && { storageProblem: storage.problem }),
      ...(lastEnd.unexpected && { unexpectedEnd: lastEnd.unexpected }),
      ...(options.desktop && { desktop: options.desktop.status }),
    };
  };
  const status = () => statusWith(tools.status);
  options.desktop?.onChange(() => publish({ type: 'daemon.changed', daemon: status() }));
  const lastEnd = new LastEnd(paths.unexpectedEndFile, log);
  const storage = new StorageWatch({
    onChange: () => publish({ type: 'daemon.changed', daemon: status() }),
    clock,
    log,
  });
  const installedPythons = new InstalledPythons(childEnvironment, paths.tools);
  const tools = new PythonTools({
    toolsDir: paths.tools,
    sdkDir: join(resources.assetsDir, 'python-sdk'),
    installerDir: join(resources.assetsDir, 'installer'),
    wantedPython: options.python,
    installed: installedPythons,
    installer: options.installer,
    childEnvironment,
    onStatus: (python) => publish({ type: 'daemon.changed', daemon: statusWith(python) }),
    log,
  });
  const slot = new AppSlot({ publish, now: clock.now });
  const jobs = new JobQueue({ store: jobStore(paths.jobsFile, log), dataDir: paths.root, publish, clock, log });
  const robot = createRobot({
    options,
    python: async () => (await tools.python()).executable,
    childEnvironment,
    isSlotFree: () => slot.state.state === 'free',
    publish,
    clock,
    log,
  });
  const ownMoves = new OwnMoves({ folder: join(resources.assetsDir, 'moves'), log });
  const requireRoom = () => storage.requireRoom();
  const runTokens = new RunTokens();
  const endpoints: AppsDeps['endpoints'] = {
    find: (endpoint) => models.readiness.find(endpoint),
    priceOf: (endpoint) => models.readiness.priceOf(endpoint),
    untilReady: (endpoint, wait) => models.readiness.untilReady(endpoint, wait),
    urlOf: ({ namespace, name }) => `${address.url}${GATEWAY_PATH}/${namespace}/${name}/v1`,
    issueKey: (appName, endpoint, run) => runTokens.issue(appName, endpoint, run),
  };
  const ownAppList = createOwnAppList(base);
  const publishedAt = publishedAddresses(ownAppList, base);
  const apps = createApps({
    ...base,
    slot,
    tools,
    installedPythons,
    robot,
    jobs,
    endpoints,
    publishedAt,
    requireRoom,
  });
  const { notifications, board, mailer } = createNotifications(base);
  const models: Models = createModels(base, { hub: apps.hub, jobs, notifications, mailer, requireRoom });
  const ownApps = createOwnApps(base, { apps, jobs, tools, list: ownAppList, requireRoom });
  const doctor = createDoctor(base, { apps, jobs, models, robot, slot, status });
  return {
    apps,
    ownApps,
    doctor,
    jobs,
    models,
    notifications,
    board,
    mailer,
    runTokens,
    robot,
    ownMoves,
    slot,
    volume: new SoundVolume({ file: paths.soundVolumeFile, log }),
    storage,
    lastEnd,
    tools,
    status,
    desktop: options.desktop ?? noDesktop,
  };
}

function createServer({ options, paths, address, clock, log }: BaseParts, parts: Domain) {
  const { apps, robot, ownMoves, slot, jobs } = parts;
  const { host, port, version, resources } = options;
  const uses = new TokenUses({ file: paths.tokenUsesFile, now: clock.now, log });
  const tokens = new AccessTokens(paths.tokensFile, { log, now: clock.now, onUse: (id) => uses.note(id) });
  const sessions = new DashboardSessions({
    tokens,
    files: { sessions: paths.sessionsFile, code: paths.signInCodeFile },
    now: clock.now,
    log,
    onEnded: (id) => events.endSession(id),
  });
  const authenticate = authentication({ tokens, sessions });
  const sources = new RequestSources(options);
  const events: EventStream = new EventStream(
    clock,
    () => snapshotOf(parts, clock.now()),
    (watching) => {
      void sessions.sweep(watching);
      // Somebody looks at the dashboard, and may install an app next.
      if (events.hasPages) void apps.toolsAhead.begin();
    },
  );
  const commands = new RobotCommands({ robot, slot, runner: apps.runner, ownMoves });
  const server = new DaemonServer({
    services: {
      ...parts,
      commands,
      motions: new MotionsById(commands),
      restart: new DaemonRestart({ restart: options.restart, slot, jobs, clock }),
      issuedTokens: new IssuedTokens({ tokens, uses, sessions }),
      sessions,
      authenticate,
      sources,
      gateway: createGateway({ models: parts.models, authenticate, runTokens: parts.runTokens, sources, clock }),
      events,
      dataDir: paths.root,
      clock,
      log,
    },
    host,
    port,
    address,
    tokens,
    tokenFile: paths.accessTokenFile,
    asksThisMachine: asksThisMachine(options),
    isRunToken: (text) => apps.runner.runWith(text) !== null,
    admit: programAdmission({ runner: apps.runner, slot, clock }),
    daemonVersion: version,
    dashboard: options.dashboard ?? (async () => dashboard(resources.dashboardDir)),
  });
  return { server, sessions, events };
}

/** The current state of everything that a page shows, as the first event of a stream. */
function snapshotOf(parts: Domain, now: Date): Extract<DaemonEvent, { type: 'snapshot' }> {
  const { status, slot, apps, ownApps, models, board, jobs, robot } = parts;
  const snapshot = {
    now: now.toISOString(),
    daemon: status(),
    slot: slot.state,
    installedApps: apps.installed.list(),
    sampleApps: apps.samples(),
    ownApps: ownApps.status,
    crashes: apps.history.crashes,
    startupApp: apps.startupApp.name,
    store: apps.store.status,
    hubAccount: apps.hubToken.account,
    catalogSource: models.catalog.status,
    endpoints: models.endpoints.status,
    notifications: board.status,
    jobs: jobs.list(),
    robot: robot.state,
    pose: robot.pose,
    output: apps.output.page(),
  };
  return { type: 'snapshot', snapshot };
}
