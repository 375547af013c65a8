import type { Job } from '../../../daemon/contract/jobs.ts';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { kindText } from './job-text.ts';

/** `queued` while the install waits for others, then `installing` or `updating`. */
export function InstallWord({ job }: { readonly job: Job }) {
  if (job.state === 'queued') return <StateWord tone="idle">queued</StateWord>;
  return <StateWord tone="busy">{kindText(job).doing.toLowerCase()}</StateWord>;
}
