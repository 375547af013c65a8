import { problemText } from '../../../daemon/contract/robot/problem-text.ts';
import type { BackendKind, RobotState } from '../../../daemon/contract/robot/robot.ts';
import type { StateText } from '../../parts/notes/progress-text.ts';
import { moveTitle } from './moves-text.ts';

const states: Readonly<Record<RobotState['state'], StateText>> = {
  awake: { word: 'Awake', tone: 'running' },
  waking: { word: 'Waking up', tone: 'busy' },
  'going-to-sleep': { word: 'Going to sleep', tone: 'busy' },
  asleep: { word: 'Asleep', tone: 'asleep' },
  disconnected: { word: 'Disconnected', tone: 'offline' },
  error: { word: 'Error', tone: 'failed' },
};

const robotStateText = (state: RobotState['state']): StateText => states[state] ?? { word: state, tone: 'offline' };

/** The robot's state as a headline. A simulated robot is not said to be one that was found. */
export function robotHeadline(robot: RobotState): StateText {
  if (hasProblem(robot)) return robotStateText(robot.state);
  if (robot.simulation === 'no-robot') return { word: 'No robot found: simulated', tone: 'offline' };
  if (robot.simulation === 'robot-waiting') return { word: 'Robot found, still simulated', tone: 'busy' };
  return robotStateText(robot.state);
}

/** The robot's state in the status bar: the word with its tone, and what is said beside it. */
export function robotInShort(robot: RobotState): StateText & { readonly more: string } {
  const text = robotStateText(robot.state);
  if (robot.reason !== null) return { ...text, more: robot.reason }; // the action would push out the running app
  const { word } = backendText[robot.backend];
  if (robot.simulation === 'no-robot')
    return { word: 'No robot', tone: 'offline', more: `simulated, ${lower(text.word)}` };
  if (robot.simulation === 'robot-waiting') return { ...text, more: 'simulated, robot found' };
  return { ...text, more: word };
}

export const hasProblem = ({ state }: RobotState): boolean => state === 'disconnected' || state === 'error';

/** Whether the robot cannot be used until somebody does something about it. */
export const needsHelp = (robot: RobotState): boolean => hasProblem(robot) && robot.action !== null;

/** Describes a robot without a problem: how it is simulated, and its activity. `holder`: the program in the app slot. */
export function robotDetail(robot: RobotState, holder: string | null): string {
  const activity = activityText(robot, holder);
  if (robot.simulation === null) return activity;
  if (robot.simulation === 'chosen') return `${robot.backend === 'emulator' ? 'Emulator' : 'Simulation'}. ${activity}`;
  return `${robotStateText(robot.state).word}. ${activity}`;
}

function activityText(robot: RobotState, holder: string | null): string {
  if (robot.state === 'waking') return 'Moving to its default position';
  if (robot.state === 'going-to-sleep') return 'Moving to its parked position';
  if (robot.move) return `Playing ${moveTitle(robot.move)}`;
  if (robot.motion) return capitalize(robot.motion);
  const problem = problemText(robot);
  if (problem !== null) return problem; // it was to wake up
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

/** The robot's connection, as a fact. */
export function connectionText({ backend, simulation }: RobotState): string {
  if (simulation === 'no-robot') return 'No robot found, simulated';
  return simulation === 'robot-waiting' ? 'Simulated until no app runs' : backendText[backend].text;
}

/** The robot's connection: as a fact, and as a short word. */
const backendText: Readonly<Record<BackendKind, { readonly text: string; readonly word: string }>> = {
  lite: { text: 'USB', word: 'USB' },
  simulation: { text: 'Simulation', word: 'simulation' },
  emulator: { text: 'Emulated servos', word: 'emulator' },
};

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Under the choice of the startup app. */
export const startupHelp = 'Starts at the first wake-up and when the sleeping robot is touched.';
export const savedAtOnceText = 'A choice is saved at once.';
export const otherStartupText = (title: string): string => `Takes the place of ${title}.`;

/** Under the button that wakes the robot, or puts it to sleep. */
export const commandHelp = {
  sleep: 'It folds, then switches its motors off.',
  wakeUp: 'It switches its motors on and stands up.',
} as const;
export const notReadyText = 'Its controls work once it is ready.';

/**
 * Until when other controls wait, where the robot's card tells why; null: it tells nothing.
 * @param holder the program in the app slot; null: none
 */
export function waitsFor(robot: RobotState, holder: string | null): string | null {
  if (hasProblem(robot)) return 'the robot is ready';
  return holder === null ? null : `${holder} ends`;
}

/** Under the switch of the motors. */
export const motorsHelp = {
  motorsOff: 'They hold the robot where it is.',
  motorsOn: 'They will hold the robot where it is.',
} as const;
export const motorsWaitText = (until: string): string => `It works once ${until}.`;
export const sinkText =
  'The head will sink and the antennas will drop: nothing holds them. Support the head with your hand.';
export const foldInsteadText = 'To lay the robot down gently, put it to sleep instead: it folds first.';

/**
 * Says what a touch of an antenna does.
 * @param title of the startup app; null: none is chosen
 * @param holder the program in the app slot; null: none
 */
export function touchText(title: string | null, holder: string | null, state: RobotState['state'] | undefined): string {
  if (title === null) return 'A touch starts no app until a startup app is chosen.';
  const effect = `A touch wakes the sleeping robot and starts ${title}`;
  if (holder !== null) return `${effect}, but not while ${holder} runs.`;
  if (state === 'asleep') return `${effect}.`;
  return state === 'awake' || state === 'waking' ? `${effect}: put it to sleep to try.` : `${effect}, but not now.`;
}

/** How a robot takes over from the simulated one. @param holder the program in the app slot; null: none */
export const takeOverText = (holder: string | null): string =>
  `The robot takes over ${holder === null ? 'in a moment' : `when ${holder} ends`}.`;

/** The steps that connect a robot. */
export const connectText = {
  cable: 'A cable that only charges does not work.',
  wait: 'It takes over by itself, when no app runs.',
  permission:
    'If it is connected and still not found or not allowed, run this once in a terminal, then unplug it and plug it in again.',
  simulated: 'Everything works with the simulated one, until a robot is connected.',
} as const;
