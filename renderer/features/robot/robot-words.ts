import type { RobotState } from '../../../daemon/contract/robot.ts';
import type { Tone } from '../../parts/StateWord.tsx';

export interface RobotWords {
  readonly word: string;
  readonly tone: Tone;
}

const words: Readonly<Record<RobotState['state'], RobotWords>> = {
  awake: { word: 'Awake', tone: 'running' },
  waking: { word: 'Waking up', tone: 'busy' },
  'going-to-sleep': { word: 'Going to sleep', tone: 'busy' },
  asleep: { word: 'Asleep', tone: 'asleep' },
  disconnected: { word: 'Disconnected', tone: 'offline' },
  error: { word: 'Error', tone: 'failed' },
};

export const robotWords = (state: RobotState['state']): RobotWords => words[state] ?? { word: state, tone: 'offline' };

/** Why it is as it is, or what it does right now; `mover` is what holds the slot. */
export function robotDetail(robot: RobotState, mover: string | null): string {
  if (robot.reason) return robot.reason;
  if (robot.state === 'waking') return 'On its way to its default position';
  if (robot.state === 'going-to-sleep') return 'On its way to its parked position';
  if (robot.motion) return sentence(robot.motion);
  if (robot.state === 'asleep') return 'Parked';
  if (mover !== null) return `Moved by ${mover}`;
  return robot.atDefault ? 'At its default position' : 'Away from its default position';
}

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
