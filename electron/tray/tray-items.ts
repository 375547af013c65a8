import type { AppSlotState } from '../../daemon/contract/apps/app-slot.ts';
import type { RobotState } from '../../daemon/contract/robot/robot.ts';
import { displayText } from '../../daemon/shared/display-text.ts';
import type { DaemonState } from './daemon-state.ts';

/** A request to the daemon by an item of the tray's menu. */
export type DaemonAction =
  | { readonly does: 'stop-app' | 'wake-up' | 'sleep' }
  | { readonly does: 'start-app'; readonly appName: string };

/** The action of an item of the tray's menu. */
export type TrayAction = { readonly does: 'open' | 'show-update' | 'quit' } | DaemonAction;

/** The titles of the dialogs that say why the daemon refused an action. */
export const notDone: Readonly<Record<DaemonAction['does'], string>> = {
  'start-app': 'The app was not started',
  'stop-app': 'The app was not stopped',
  'wake-up': 'The robot was not woken up',
  sleep: 'The robot was not put to sleep',
};

/** An item, or a line between items. Without an action it only tells something. */
export type TrayItem = { readonly label: string; readonly action: TrayAction | null } | 'separator';

/** The longest text by somebody else in an item, in characters. */
const FOREIGN_LIMIT = 40;
const REASON_LIMIT = 80;

/** The tray's menu. @param state null: the daemon does not answer */
export function trayItems(state: DaemonState | null): TrayItem[] {
  const end: TrayItem[] = [
    'separator',
    { label: 'Open Robot Desktop', action: { does: 'open' } },
    ...updateItem(state),
    { label: 'Quit', action: { does: 'quit' } },
  ];
  if (state === null) return [told('The daemon does not answer'), ...end];
  return [told(robotText(state.robot)), wakeItem(state), 'separator', ...appItems(state), ...end];
}

/** While the program ends. */
export const endingItems: readonly TrayItem[] = [told('Stopping the app and folding the robot')];

/** The text that appears when the pointer rests on the icon, where the desktop shows it. */
export const trayToolTip = (state: DaemonState | null): string =>
  `Robot Desktop: ${state === null ? 'the daemon does not answer' : robotText(state.robot).toLowerCase()}`;

const words: Readonly<Record<RobotState['state'], string>> = {
  asleep: 'asleep',
  waking: 'waking up',
  awake: 'awake',
  'going-to-sleep': 'going to sleep',
  disconnected: 'disconnected',
  error: 'error',
};

function robotText({ state, reason, simulation }: RobotState): string {
  const simulated = simulation === null ? '' : ', simulated';
  const why = reason === null ? '' : `: ${displayText(reason, REASON_LIMIT)}`;
  return `Robot ${words[state]}${simulated}${why}`;
}

function wakeItem({ robot, slot }: DaemonState): TrayItem {
  if (robot.state === 'awake') {
    const label = 'Put the Robot to Sleep';
    return { label, action: slot.state === 'free' ? { does: 'sleep' } : null }; // an app has it
  }
  const canWake = robot.state === 'asleep' || robot.state === 'error'; // which may be past then
  return { label: 'Wake the Robot Up', action: canWake ? { does: 'wake-up' } : null };
}

function appItems(state: DaemonState): TrayItem[] {
  const { slot } = state;
  if (slot.state === 'free') return [told('No app runs'), ...startItem(state)];
  const name = holderName(slot, state);
  if (slot.holder.kind !== 'managed-app') return [told(`${name} moves the robot`)];
  const stop: TrayAction | null = slot.state === 'stopping' ? null : { does: 'stop-app' };
  return [told(`${name}: ${slot.state}`), { label: `Stop ${name}`, action: stop }];
}

function holderName({ holder }: Exclude<AppSlotState, { state: 'free' }>, state: DaemonState): string {
  return holder.kind === 'managed-app' ? titleOf(holder.appName, state) : foreign(holder.name);
}

function startItem(state: DaemonState): TrayItem[] {
  const { startupApp: appName } = state;
  if (appName === null || !state.installedApps.some(({ name }) => name === appName)) return [];
  return [{ label: `Start ${titleOf(appName, state)}`, action: { does: 'start-app', appName } }];
}

/** Only what waits for its user; Settings has the rest. */
function updateItem(state: DaemonState | null): TrayItem[] {
  const update = state?.daemon.desktop?.update;
  if (update?.state !== 'available' && update?.state !== 'ready') return [];
  return [{ label: `Update to Version ${foreign(update.version)}…`, action: { does: 'show-update' } }];
}

function titleOf(appName: string, { installedApps }: DaemonState): string {
  return foreign(installedApps.find(({ name }) => name === appName)?.title ?? appName);
}

const foreign = (text: string): string => displayText(text, FOREIGN_LIMIT);

function told(label: string): TrayItem {
  return { label, action: null };
}
