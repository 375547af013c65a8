import type { Motor, MotorFault } from '../../../daemon/contract/robot/robot.ts';
import type { Tone } from '../../parts/notes/StateWord.tsx';

const faultText: Readonly<Record<MotorFault, string>> = {
  'input-voltage': 'Voltage out of range',
  overheating: 'Overheated',
  'electrical-shock': 'Overcurrent',
  overload: 'Overloaded',
};

/** The motor's condition: OK, no answer, or its faults. */
export function motorStateText({ answers, faults }: Pick<Motor, 'answers' | 'faults'>): { word: string; tone: Tone } {
  if (!answers) return { word: 'No answer', tone: 'offline' };
  if (faults.length === 0) return { word: 'OK', tone: 'done' };
  return { word: faults.map((fault) => faultText[fault]).join(', '), tone: 'failed' };
}
