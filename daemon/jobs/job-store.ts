import * as z from 'zod';
import { Job } from '../contract/jobs.ts';
import { readJsonFile, writeJsonFile } from '../shared/files/json-file.ts';

const StoredJobs = z.object({ jobs: z.array(z.object({ job: Job, log: z.array(z.string()) })) });
export type StoredJob = z.infer<typeof StoredJobs>['jobs'][number];

/** Stores the records of jobs on disk, newest last. */
export interface JobStore {
  load(): Promise<StoredJob[]>;
  save(jobs: readonly StoredJob[]): Promise<void>;
}

export function jobStore(path: string): JobStore {
  return {
    load: async () => (await readJsonFile(path, StoredJobs))?.jobs ?? [],
    save: (jobs) => writeJsonFile(path, { jobs }),
  };
}
