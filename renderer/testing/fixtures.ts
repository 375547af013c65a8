import type { AppSlotState } from '../../daemon/contract/apps/app-slot.ts';
import type { AppVersion, InstalledApp, SampleApp } from '../../daemon/contract/apps/apps.ts';
import type { AppRun, OutputLine, OutputPage } from '../../daemon/contract/apps/runs.ts';
import type { StoreApp, StoreAppDetail, StorePage, StoreStatus } from '../../daemon/contract/apps/store.ts';
import type { DaemonSnapshot } from '../../daemon/contract/daemon.ts';
import type { Job, JobFailure } from '../../daemon/contract/jobs.ts';
import { type Motor, MotorName, type RobotPose, type RobotState } from '../../daemon/contract/robot/robot.ts';

export const moment = '2026-03-01T10:00:00.000Z';

/** An ISO time that many seconds from now. */
export const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();

export const pose: RobotPose = {
  joints: { bodyYaw: 0, stewart: [0, 0, 0, 0, 0, 0], antennas: [-0.1745, 0.1745] },
  head: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
  speedLimited: false,
  timeS: 0,
};

export function robotState(change: Partial<RobotState> = {}): RobotState {
  return {
    state: 'awake',
    connected: change.state !== 'disconnected',
    reason: null,
    action: null,
    command: null,
    backend: 'simulation',
    simulation: (change.backend ?? 'simulation') === 'lite' ? null : 'chosen',
    torque: true,
    motion: null,
    move: null,
    atDefault: true,
    ...change,
  };
}

/** Nine motors with torque and without faults, changed by name. */
export function motors(changes: { readonly [N in MotorName]?: Partial<Motor> } = {}): Motor[] {
  return MotorName.options.map((name, index) => ({
    name,
    id: 10 + index,
    answers: true,
    torque: true,
    mode: 'position',
    positionRad: 0,
    voltageV: 5,
    temperatureC: 31.4,
    faults: [],
    ...changes[name],
  }));
}

export function sampleApp(name: string, title: string): SampleApp {
  return {
    name,
    title,
    description: `${title} does what it says.`,
    emoji: '👋',
    needs: [],
    url: `/samples/${name}`,
    needsNetwork: false,
    icon: null,
  };
}

export function installedApp(name: string, title = name, change: Partial<InstalledApp> = {}): InstalledApp {
  return {
    name,
    title,
    description: `${title} does what it says.`,
    emoji: '👋',
    distribution: name,
    version: '1.0.0',
    module: `${name}.main`,
    className: 'Main',
    requiresPython: null,
    dependencies: [],
    baseline: false,
    needs: [],
    icon: null,
    settingsPage: null,
    source: { kind: 'folder', path: `/samples/${name}` },
    installedAt: moment,
    pythonVersion: '3.11.7',
    previous: null,
    pinned: false,
    onTrial: false,
    rolledBack: null,
    reset: null,
    update: null,
    updateProblem: null,
    sharesPortWith: [],
    ...change,
  };
}

export const hub = 'https://hub.test';
export const commit = (digit: string) => digit.repeat(40);

/** An app installed from the hub. */
export function appFromHub(name: string, change: Partial<InstalledApp> = {}): InstalledApp {
  const source = { kind: 'space', hub, id: `anna/${name}`, revision: null, commit: commit('a') } as const;
  return installedApp(name, name, { source, ...change });
}

export function appVersion(name: string, version: string): AppVersion {
  return { version, source: { kind: 'folder', path: `/samples/${name}` }, installedAt: moment };
}

export function storeApp(id: string, change: Partial<StoreApp> = {}): StoreApp {
  const [author = '', title = ''] = id.split('/');
  return {
    id,
    commit: commit('b'),
    url: `${hub}/spaces/${id}`,
    author,
    title,
    description: `${title} does what it says.`,
    emoji: '💃',
    likes: 12,
    private: false,
    createdAt: moment,
    updatedAt: moment,
    ...change,
  };
}

export function storeAppDetail(id: string, change: Partial<StoreAppDetail> = {}): StoreAppDetail {
  return {
    ...storeApp(id),
    readme: { markdown: 'It dances.\n\nTo any beat.', truncated: false },
    sizeBytes: 38_000_000,
    appName: 'dance',
    version: '1.2.0',
    requiresPython: '>=3.10',
    pythonDownload: null,
    dependencies: ['robot-sdk', 'numpy'],
    needs: [],
    problems: [],
    ...change,
  };
}

export function storeStatus(change: Partial<StoreStatus> = {}): StoreStatus {
  return { hub, fetchedAt: moment, refreshing: false, problem: null, total: 0, ...change };
}

export function storePage(apps: readonly StoreApp[], change: Partial<StorePage> = {}): StorePage {
  const status = storeStatus({ total: apps.length });
  return { apps: [...apps], matches: apps.length, page: 1, pages: 1, status, ...change };
}

export function slotHeldBy(
  appName: string,
  state: 'starting' | 'running' | 'stopping' = 'running',
  runId = 'run-1',
): Exclude<AppSlotState, { state: 'free' }> {
  const holder = { kind: 'managed-app', appName, runId } as const;
  return { state, holder, since: moment, sdk: 'connected', settingsPage: 'none', detail: null, until: null, alive: [] };
}

export function crashOf(appName: string, change: Partial<AppRun> = {}): AppRun {
  return {
    runId: 'run-1',
    appName,
    startedAt: moment,
    endedAt: moment,
    outcome: 'crashed',
    exitCode: 1,
    signal: null,
    message: `${appName} crashed: ZeroDivisionError.`,
    diagnosis: null,
    version: '1.0.0',
    killed: [],
    ...change,
  };
}

export const failure: JobFailure = {
  reason: 'not-an-app',
  message: 'box is not an app.',
  action: 'Choose the folder of an app.',
  evidence: ['no entry point'],
};

export function installJob(name: string, change: Partial<Job> = {}): Job {
  return {
    id: `job-${name}`,
    kind: 'install-app',
    subject: `/samples/${name}`,
    appName: name,
    state: 'running',
    steps: [
      { name: 'copy', title: 'Copy the folder', state: 'done' },
      { name: 'environment', title: 'Build the environment', state: 'running' },
    ],
    detail: 'Resolving 12 packages',
    transfer: null,
    cancelling: false,
    failure: null,
    createdAt: moment,
    startedAt: moment,
    endedAt: null,
    logTail: ['12 files'],
    ...change,
  };
}

export function lines(from: number, to: number): OutputLine[] {
  return Array.from({ length: to - from + 1 }, (_, index) => ({
    number: from + index,
    stream: 'stdout',
    text: `line ${from + index}`,
    truncated: false,
    at: moment,
  }));
}

export function outputPage(change: Partial<OutputPage> = {}): OutputPage {
  return { runId: null, appName: null, firstKept: 1, last: 0, lines: [], ...change };
}

export function snapshot(change: Partial<DaemonSnapshot> = {}): DaemonSnapshot {
  return {
    now: inSeconds(0),
    daemon: {
      name: 'robot-daemon',
      version: '0.1.0',
      instanceId: 'one',
      pid: 1,
      startedAt: moment,
      dataDir: '/data',
      python: { state: 'ready', version: '3.11.7', installer: 'uv' },
    },
    slot: { state: 'free', lastRun: null },
    installedApps: [],
    sampleApps: [],
    ownApps: { apps: [], proposedFolder: '/home/me/robot-apps', canOpen: true },
    crashes: [],
    startupApp: null,
    store: storeStatus(),
    hubAccount: { hub, name: null, problem: null },
    catalogSource: { kind: 'embedded', url: null, hasToken: false, fetchedAt: null, problem: null, total: 132 },
    endpoints: { total: 0, revision: 0, states: {} },
    notifications: { unseen: 0, revision: 0, newest: null, canMail: false },
    jobs: [],
    robot: robotState(),
    pose,
    output: outputPage(),
    ...change,
  };
}
