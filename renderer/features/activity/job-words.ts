import type { Job, JobStep } from '../../../daemon/contract/jobs.ts';
import type { Tone } from '../../parts/StateWord.tsx';

interface Words {
  readonly word: string;
  readonly tone: Tone;
}

export function jobWords(job: Job): Words {
  if (job.cancelling && job.state === 'running') return { word: 'cancelling', tone: 'busy' };
  return jobStates[job.state] ?? { word: job.state, tone: 'idle' };
}

const jobStates: Readonly<Record<Job['state'], Words>> = {
  queued: { word: 'waiting', tone: 'idle' },
  running: { word: 'running', tone: 'busy' },
  done: { word: 'done', tone: 'done' },
  failed: { word: 'failed', tone: 'failed' },
  cancelled: { word: 'cancelled', tone: 'idle' },
};

export const stepWords: Readonly<Record<JobStep['state'], Words>> = {
  pending: { word: 'to come', tone: 'idle' },
  running: { word: 'running', tone: 'busy' },
  done: { word: 'done', tone: 'done' },
  failed: { word: 'failed', tone: 'failed' },
  cancelled: { word: 'cancelled', tone: 'offline' },
};

/** The step under way and its place, or the first to come. */
export function currentStep(job: Job): { readonly title: string; readonly place: number; readonly of: number } {
  const running = job.steps.findIndex(({ state }) => state === 'running');
  const index = running >= 0 ? running : job.steps.findIndex(({ state }) => state === 'pending');
  const place = index >= 0 ? index : Math.max(0, job.steps.length - 1);
  return { title: job.steps[place]?.title ?? 'Getting ready', place: place + 1, of: job.steps.length };
}
