import type { BackendKind, RobotState } from '../../../daemon/contract/robot/robot.ts';
import type { Tone } from '../../parts/notes/StateWord.tsx';

export interface RobotStateText {
  readonly word: string;
  readonly tone: Tone;
}

const states: Readonly<Record<RobotState['state'], RobotStateText>> = {
  awake: { word: 'Awake', tone: 'running' },
  waking: { word: 'Waking up', tone: 'busy' },
  'going-to-sleep': { word: 'Going to sleep', tone: 'busy' },
  asleep: { word: 'Asleep', tone: 'asleep' },
  disconnected: { word: 'Disconnected', tone: 'offline' },
  error: { word: 'Error', tone: 'failed' },
};

export const robotStateText = (state: RobotState['state']): RobotStateText =>
  states[state] ?? { word: state, tone: 'offline' };

export const hasProblem = ({ state }: RobotState): boolean => state === 'disconnected' || state === 'error';

/** Describes the activity of a robot without a problem. `holder`: the program in the app slot. */
export function robotDetail(robot: RobotState, holder: string | null): string {
  if (robot.state === 'waking') return 'Moving to its default position';
  if (robot.state === 'going-to-sleep') return 'Moving to its parked position';
  if (robot.motion) return capitalize(robot.motion);
  if (robot.state === 'asleep') return 'Parked';
  if (!robot.torque) return 'Some motors are off';
  if (holder !== null) return `Moved by ${holder}`;
  return robot.atDefault ? 'At its default position' : 'Away from its default position';
}

export function torqueText({ state, connected, torque }: RobotState): string {
  if (!connected) return 'Unknown';
  if (torque) return 'On';
  return state === 'asleep' ? 'Off: the joints can be moved by hand' : 'Off in at least one motor';
}

/** How the robot is connected: as a fact, and as a short word. */
export const backendText: Readonly<Record<BackendKind, { readonly text: string; readonly word: string }>> = {
  lite: { text: 'USB', word: 'USB' },
  simulation: { text: 'Simulated, no robot', word: 'simulation' },
  emulator: { text: 'Emulated servos, no robot', word: 'emulator' },
};

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
