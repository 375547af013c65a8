import * as z from 'zod';
import { Job } from '../contract/jobs.ts';
import { readPastRecords, writeJsonFile } from '../shared/files/json-file.ts';
import type { Logger } from '../shared/logger.ts';

/** The file of jobs, `jobs.json`. */
export const StoredJobs = z.object({ jobs: z.array(z.object({ job: Job, log: z.array(z.string()) })) });
export type StoredJob = z.infer<typeof StoredJobs>['jobs'][number];

/** Stores the records of jobs on disk, newest last. A file that cannot be read is set aside. */
export const jobStore = (path: string, log: Pick<Logger, 'error'>) => ({
  load: async (): Promise<StoredJob[]> => (await readPastRecords(path, StoredJobs, log))?.jobs ?? [],
  save: (jobs: readonly StoredJob[]): Promise<void> => writeJsonFile(path, { jobs }),
});
export type JobStore = ReturnType<typeof jobStore>;
