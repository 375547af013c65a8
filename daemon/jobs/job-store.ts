import * as z from 'zod';
import { Job } from '../contract/jobs.ts';
import { readPastRecords, writeJsonFile } from '../shared/files/json-file.ts';
import type { Logger } from '../shared/logger.ts';

/** The file of jobs, `jobs.json`. */
export const StoredJobs = z.object({ jobs: z.array(z.object({ job: Job, log: z.array(z.string()) })) });
export type StoredJob = z.infer<typeof StoredJobs>['jobs'][number];

/** Stores the records of jobs on disk, newest last. */
export interface JobStore {
  load(): Promise<StoredJob[]>;
  save(jobs: readonly StoredJob[]): Promise<void>;
}

/** A file that cannot be read is set aside. */
export function jobStore(path: string, log: Pick<Logger, 'error'>): JobStore {
  return {
    load: async () => (await readPastRecords(path, StoredJobs, log))?.jobs ?? [],
    save: (jobs) => writeJsonFile(path, { jobs }),
  };
}
