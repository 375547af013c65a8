import type { CheckFinding, CheckReport, OwnAppRun } from '../../../daemon/contract/apps/own-apps.ts';
import { counted } from '../../parts/format.ts';
import type { StateText } from '../../parts/notes/progress-text.ts';
import { findingsText } from '../own-apps/own-app-text.ts';

export const missingFolder =
  'Its folder is missing: it was moved, renamed or deleted, or its drive is not connected. Put it back, or add the new folder under Create.';

export const noValidApp = 'There is no valid app in this folder now: the check says why.';

export const noOutputYet = 'The output of the app appears here once it runs.';

/** The effect of the next change of a file; null: nothing to say. */
export function runHint({ state, problem, jobId }: OwnAppRun): string | null {
  switch (state) {
    case 'off':
      return 'Run starts it from its folder, and restarts it each time you save a file.';
    case 'preparing':
      if (jobId === null) return 'Its files are checked, then it starts.';
      return 'Its environment is built first; that is needed again only when its dependencies change.';
    case 'running':
      if (jobId !== null) return 'Its new environment is built; the earlier code keeps running meanwhile.';
      return problem === null ? 'Save a file to restart it.' : null;
    case 'waiting':
      return 'It starts again when you save a file.';
  }
}

/** The findings of the quick check that keep the last change from being taken. */
export const runProblems = ({ findings }: OwnAppRun): readonly CheckFinding[] =>
  findings.filter(({ severity }) => severity === 'problem');

/** Why the last change was not taken. The findings below it say more than the problem, where there are any. */
export function problemTitle(run: OwnAppRun): string {
  const found = runProblems(run);
  const why = found.length > 0 ? `The last change was not taken: ${findingsText(found)}.` : (run.problem ?? '');
  return run.state === 'running' ? `${why} The earlier code keeps running.` : why;
}

/** `No problems`, `2 problems and 1 warning`, with the kind of the state. */
export function checkResult({ findings }: CheckReport): StateText {
  const text = findingsText(findings);
  const word = text.charAt(0).toUpperCase() + text.slice(1);
  if (findings.some(({ severity }) => severity === 'problem')) return { word, tone: 'failed' };
  return { word, tone: findings.length > 0 ? 'busy' : 'done' };
}

export const depthText = ({ built }: CheckReport): string =>
  built ? 'It was also built, installed and loaded.' : 'It was not built.';

export const whatACheckDoes =
  'A check builds and loads your app in a temporary environment, and lists what would keep it from being installed, started or found.';

export const severityText: Readonly<Record<CheckFinding['severity'], StateText>> = {
  problem: { word: 'Problem', tone: 'failed' },
  warning: { word: 'Warning', tone: 'busy' },
};

/** `main.py:12`, `main.py`: as editors open it. */
export const placeText = (file: string, line: number | null): string => (line === null ? file : `${file}:${line}`);

/** `Fix 1 finding` */
export const fixLabel = (count: number): string => `Fix ${counted(count, 'finding')}`;

export const fixText = 'Only these places of your files are changed:';
export const notListedText = 'It was taken off the list, or its folder was moved; its files stay.';
export const runsFromFolderText = 'It runs from its folder: stop it first.';

/** Of an app that was installed from the folder under an earlier name. */
export const earlierInstallText = (name: string): string =>
  `This folder is still installed as ${name}, the earlier name of its app.`;

/** @param isStopped whether the app does not start without the model */
export const needText = (isStopped: boolean): string =>
  isStopped ? 'It starts once an endpoint is chosen for it.' : 'It also runs without.';
