import type { DaemonSnapshot } from '../../daemon/contract/daemon.ts';
import type { DaemonState } from '../tray/daemon-state.ts';

type Managed = Exclude<DaemonSnapshot['slot'], { state: 'free' }>;

/** A daemon with an awake, simulated robot and the apps "Hello wave" and "Dance", of which none runs. */
export function daemonState(change: Partial<DaemonState> = {}): DaemonState {
  return {
    daemon: { version: '1.0.0', python: { state: 'looking' } } as DaemonState['daemon'],
    robot: robotState(),
    slot: { state: 'free', lastRun: null },
    startupApp: null,
    installedApps: [installedApp('hello_wave', 'Hello wave'), installedApp('dance', 'Dance')],
    crashes: [],
    notifications: { unseen: 0, revision: 0, newest: null, canMail: false },
    ...change,
  };
}

export function robotState(change: Partial<DaemonState['robot']> = {}): DaemonState['robot'] {
  return {
    state: 'awake',
    connected: true,
    reason: null,
    action: null,
    command: null,
    backend: 'simulation',
    simulation: 'chosen',
    torque: true,
    motion: null,
    move: null,
    atDefault: true,
    ...change,
  };
}

export function slotOf(holder: Managed['holder'], state: Managed['state'] = 'running'): Managed {
  const since = '2026-03-01T10:00:00.000Z';
  return { state, holder, since, sdk: 'connected', settingsPage: 'none', detail: null, until: null, alive: [] };
}

/** Only its names: the rest of an app is not read. */
export const installedApp = (name: string, title: string) => ({ name, title }) as DaemonState['installedApps'][number];
