import type { FindingSeverity, InstallationFinding } from '../../../daemon/contract/doctor/installation-check.ts';
import { hrefOf } from '../../navigation/route.ts';
import { counted } from '../../parts/format.ts';
import type { Tone } from '../../parts/notes/StateWord.tsx';

/** Above the button that checks the installation. */
export const doctorHelp = 'Checks apps, data folder, Python, disk and network; changes nothing.';
export const neverCheckedText = 'It has not been checked since the program started.';
export const cancelledText = 'The last check was cancelled.';

/** The effect of each repair that the dashboard can make. */
export const repairText = {
  again: (appName: string) => `Installs ${appName} again; its own files stay.`,
  previous: (appName: string) => `Returns ${appName} to its earlier version.`,
  pruneDownloads: 'Removes the downloads that no app uses.',
  removeModelFile: 'Removes the partial download.',
} as const;
export const repairedText = 'Done: check again to see whether it helped.';

export const reportText = 'Collects versions, the last check, jobs, runs and the log in a text file; nothing is sent.';
/** Above the parts of a report. */
export const maskedText =
  'Secrets, home folders and your name are masked as far as recognized: look through it before you pass it on.';
export const savingText = (name: string): string => `Saving ${name}; choose where, if you are asked.`;

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

/** The sentence of a finding without its place, which is shown below: `(/data/a.json is damaged: it is not JSON.)`. */
export const whatText = ({ what, where }: Pick<InstallationFinding, 'what' | 'where'>): string =>
  what.replace(`(${where} is damaged: `, '(').replace(/\.\)\.$/, ').');

/** The place of a finding, unless it is told already; null: it is. */
export const whereText = ({ what, where }: Pick<InstallationFinding, 'what' | 'where'>): string | null =>
  where === 'this machine' || whatText({ what, where }).includes(where) ? null : where;

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
  if (code === 'container-engine') return { does: 'What to do:', ...machine };
  const card = { label: 'Settings', href: hrefOf('settings', { query: 'section=graphics-card' }) };
  if (code === 'graphics-card-off') return { does: 'To switch it on:', ...card };
  if (code.startsWith('graphics-card-')) return { does: 'What to do:', ...machine };
  if (code === 'startup-app-missing')
    return { does: 'Install it, or choose another one:', label: 'Settings', href: hrefOf('settings') };
  return null;
}

/** How a repair is made that needs the data folder for itself. @param inWindow whether the daemon ends with this window */
export function whenClosedText(inWindow: boolean, hasCommand: boolean): string {
  if (!hasCommand)
    return 'This repair needs the command "robot-daemon doctor --fix", which this package does not include.';
  return `For this repair, ${inWindow ? 'quit Robot Desktop' : 'stop the daemon'}, then run this in a terminal:`;
}
