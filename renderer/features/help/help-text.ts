import type { FindingSeverity, InstallationFinding } from '../../../daemon/contract/doctor/installation-check.ts';
import { hrefOf } from '../../navigation/route.ts';
import { counted } from '../../parts/format.ts';
import type { Tone } from '../../parts/notes/StateWord.tsx';

export const doctorText =
  'Looks at the apps, the data folder, Python and the disk, and changes nothing. ' +
  'The app store and the package index are asked whether they answer.';

export const reportText =
  'Collects versions, the last check, jobs, runs and the log in one text file. You save it; nothing sends it. ' +
  'Tokens, passwords, values of variables, home folders and your name are masked as far as they can be recognized. ' +
  'Look through it before you pass it on.';

interface SeverityText {
  readonly severity: FindingSeverity;
  readonly title: string;
  readonly tone: Tone;
}

/** The groups of findings, most severe first. */
export const severities: readonly SeverityText[] = [
  { severity: 'broken', title: 'Does not work', tone: 'failed' },
  { severity: 'untidy', title: 'Wastes space', tone: 'busy' },
  { severity: 'note', title: 'Worth knowing', tone: 'idle' },
];

/** The result of a check, in a sentence. */
export function resultText(findings: readonly Pick<InstallationFinding, 'severity'>[]): string {
  const count = (wanted: FindingSeverity) => findings.filter(({ severity }) => severity === wanted).length;
  if (count('broken') > 0) return `${counted(count('broken'), 'problem')} found.`;
  return findings.length === 0 ? 'No problems found.' : 'Nothing is broken.';
}

/** A page of the dashboard that does what a finding asks for. */
interface Place {
  readonly does: string;
  readonly label: string;
  readonly href: string;
}

/** The page for a finding whose own sentence is about a command of the terminal; null: it has none. */
export function placeOf(code: string): Place | null {
  const machine = { label: 'This machine', href: hrefOf('models', { tab: 'machine' }) };
  if (code === 'model-unused' || code === 'model-partial') return { does: 'To remove it:', ...machine };
  const card = { label: 'Settings', href: hrefOf('settings', { query: 'section=graphics-card' }) };
  if (code === 'graphics-card-off') return { does: 'To switch it on:', ...card };
  if (code.startsWith('graphics-card-')) return { does: 'What to do:', ...machine };
  if (code === 'startup-app-missing')
    return { does: 'Install it, or choose another one:', label: 'Settings', href: hrefOf('settings') };
  return null;
}

/** How a repair is made that needs the data folder for itself. @param inWindow whether the daemon ends with this window */
export function whenClosedText(inWindow: boolean, hasCommand: boolean): string {
  const why = 'The daemon must be stopped for this repair.';
  if (!hasCommand)
    return `${why} The command "robot-daemon doctor --fix" does it, but this package does not include it.`;
  return `${why} ${inWindow ? 'Quit Robot Desktop' : 'Stop the daemon'}, then run this in a terminal:`;
}
