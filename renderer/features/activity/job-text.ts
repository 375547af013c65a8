import type { Job } from '../../../daemon/contract/jobs.ts';
import { counted } from '../../parts/format.ts';
import type { StateText } from '../../parts/notes/progress-text.ts';
import type { JobFilter } from './activity-list.ts';
import { type KnownSubjects, subjectTitle } from './install-jobs.ts';

const kinds: Readonly<Record<Job['kind'], { readonly verb: string; readonly doing: string; readonly noun: string }>> = {
  'install-app': { verb: 'Install', doing: 'Installing', noun: 'install' },
  'update-app': { verb: 'Update', doing: 'Updating', noun: 'update' },
  'install-runtime': { verb: 'Install', doing: 'Installing', noun: 'install' },
  'check-app': { verb: 'Check', doing: 'Checking', noun: 'check' },
  'publish-app': { verb: 'Publish', doing: 'Publishing', noun: 'publication' },
  'check-installation': { verb: 'Check', doing: 'Checking', noun: 'check' },
};

export const kindText = ({ kind }: Job) => kinds[kind] ?? { verb: kind, doing: kind, noun: kind };

/** `Install Hello wave`, `Update Dance`. */
export const jobTitle = (job: Job, known: KnownSubjects): string => `${kindText(job).verb} ${subjectTitle(job, known)}`;

export function jobStateText(job: Job): StateText {
  if (job.cancelling && job.state === 'running') return { word: 'cancelling', tone: 'busy' };
  return jobStates[job.state] ?? { word: job.state, tone: 'idle' };
}

const jobStates: Readonly<Record<Job['state'], StateText>> = {
  queued: { word: 'queued', tone: 'idle' },
  running: { word: 'running', tone: 'busy' },
  done: { word: 'done', tone: 'done' },
  failed: { word: 'failed', tone: 'failed' },
  cancelled: { word: 'cancelled', tone: 'idle' },
};

/** The running step, else the next one; `position` counts from 1. */
export function currentStep(job: Job): { readonly title: string; readonly position: number; readonly of: number } {
  const running = job.steps.findIndex(({ state }) => state === 'running');
  const index = running >= 0 ? running : job.steps.findIndex(({ state }) => state === 'pending');
  const position = index >= 0 ? index : Math.max(0, job.steps.length - 1);
  return { title: job.steps[position]?.title ?? 'Preparing', position: position + 1, of: job.steps.length };
}

/** For what a queued job waits, in a sentence. */
export const waitText = (ahead: number): string =>
  ahead === 0 ? 'It starts in a moment.' : `It waits for ${counted(ahead, 'other job')}.`;

/** The own app's page shows this after a check or a publication that did not end well. */
export function ownAppLinkText({ kind, failure }: Job): string {
  if (failure?.reason === 'problems-found') return 'See the problems';
  if (failure?.reason === 'changed-elsewhere') return 'See the difference';
  return kind === 'check-app' ? 'See the check' : 'See the publication';
}

/** Says that no job passes the filter. */
export const noneOf: Readonly<Record<JobFilter, string>> = {
  all: '',
  active: 'Nothing runs or waits.',
  failed: 'No job failed.',
  ended: 'No job has ended yet.',
};
export const noJobsText = 'Installs, updates, checks and publications are listed here.';

export const logCutText = 'The beginning of this log is no longer kept.';
export const emptyLogText = 'The log is empty.';
export const logFailedText = (reason: string): string => `The log could not be loaded: ${reason}`;
