import type { AppSlotState } from '../../../daemon/contract/apps/app-slot.ts';
import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import type { AppTemplate, CheckFinding, CheckReport, OwnApp } from '../../../daemon/contract/apps/own-apps.ts';
import { counted } from '../../parts/format.ts';
import type { Choice } from '../../parts/forms/RadioList.tsx';
import type { StateText } from '../../parts/notes/progress-text.ts';
import { runOf } from '../../slices/apps/apps-slice.ts';
import { originText } from '../versions/version-text.ts';

export const emptyTitle = 'You have not created an app yet';
export const emptyText =
  'Start with an app that moves the robot at once, change it in your editor, then check it and publish it.';
export const listText = 'The apps that you write, each in a folder of yours.';
export const destinationHelp = 'The app gets its own folder in it; nothing else changes.';
export const folderHelp = 'Full path of the folder with pyproject.toml; it stays as it is.';

/** The templates, as they are offered. */
export const templates: readonly Choice<AppTemplate>[] = [
  {
    value: 'default',
    label: 'Moves and settings',
    description: 'Looks around and waves its antennas; a settings page sets how.',
  },
  {
    value: 'conversation',
    label: 'Conversation',
    description: 'Listens, answers and moves; follows a script until you choose a model.',
  },
];

export const beingStopped: StateText = { word: 'stopping', tone: 'busy' };

/** The state of an own app: of its run, or why it has none. */
export function ownAppState({ exists, name, run }: OwnApp, slot: AppSlotState): StateText {
  if (!exists) return { word: 'folder missing', tone: 'failed' };
  switch (run.state) {
    case 'preparing':
      return { word: 'preparing', tone: 'busy' };
    case 'waiting':
      return { word: 'waiting', tone: 'busy' };
    case 'running': {
      const state = (name === null ? null : runOf(slot, name))?.state ?? 'running';
      return { word: state, tone: state === 'running' ? 'running' : 'busy' };
    }
    case 'off':
      return stateWithoutRun(name, slot);
  }
}

/** The app of that name may run as it was installed, or still end. */
function stateWithoutRun(name: string | null, slot: AppSlotState): StateText {
  if (name === null) return { word: 'not a valid app', tone: 'failed' };
  const run = runOf(slot, name);
  if (run === null) return { word: 'not running', tone: 'idle' };
  return run.state === 'stopping' ? beingStopped : { word: 'runs as installed', tone: 'running' };
}

/** Asks before the app is started from its folder while it runs from its install. @param origin `anna/wave` */
export const runsAsInstalled = (origin: string | null) => ({
  question: origin === null ? 'It runs as it was installed.' : `The one installed from ${origin} is running.`,
  answer: 'Run it from this folder',
});

/** Where the app is installed from now, in a few words; null: from this folder, or it is not installed. */
export function installedElsewhere({ folder }: OwnApp, installed: InstalledApp | undefined): string | null {
  if (!installed || (installed.source.kind === 'folder' && installed.source.path === folder)) return null;
  return installed.source.kind === 'folder' ? 'another folder' : originText(installed.source);
}

/** Where the app is installed from, and what a run from the folder does to that; null: nothing to say. */
export function installLine(app: OwnApp, installed: InstalledApp | undefined): string | null {
  const elsewhere = installedElsewhere(app, installed);
  if (elsewhere !== null) return `Installed from ${elsewhere}. Run installs it from this folder instead.`;
  const before = installed?.previous?.source;
  if (!before || before.kind === 'folder') return null;
  return `Installed from this folder; you can return to the one from ${originText(before)}.`;
}

/** `Reloaded once.`, `Reloaded 3 times.`; null: never. */
export function reloadsText(reloads: number): string | null {
  if (reloads === 0) return null;
  return reloads === 1 ? 'Reloaded once.' : `Reloaded ${reloads} times.`;
}

/** `2 problems and 1 warning`, `no problems`. */
export function findingsText(findings: readonly CheckFinding[]): string {
  const count = (severity: CheckFinding['severity']) => findings.filter((each) => each.severity === severity).length;
  const [problems, warnings] = [count('problem'), count('warning')];
  if (problems + warnings === 0) return 'no problems';
  return [problems > 0 && counted(problems, 'problem'), warnings > 0 && counted(warnings, 'warning')]
    .filter(Boolean)
    .join(' and ');
}

/** The result of the last check on a card. */
export const checkLine = (check: CheckReport | null): string =>
  check === null ? 'not checked yet' : `check: ${findingsText(check.findings)}`;

/** `published as anna/wave (private)`, `not published`. */
export function publishedLine({ space }: OwnApp): string {
  if (space === null) return 'not published';
  return `published as ${space.id}${space.private ? ' (private)' : ''}`;
}

/** Where a new app will be, in the folder's own style of paths. */
export function folderIn(destination: string, name: string): string {
  const separator = /^[a-z]:\\|^\\\\/i.test(destination) ? '\\' : '/';
  return destination.replace(/[\\/]+$/, '') + separator + name;
}
