import type { PackageFiles } from '../../app-package/package-files.ts';
import type { AppSource, WantedSource } from '../../contract/apps/app-source.ts';
import type { JobProgress } from '../../jobs/job-queue.ts';
import type { RunStep } from '../python/python-env.ts';

/** A package that was looked at where it is, before any of it is here. */
export interface FoundPackage {
  /** Where it is, links resolved. */
  readonly source: WantedSource;
  /** What can be checked beforehand; null where all of it must be here first. */
  readonly files: PackageFiles | null;
  /** What its download takes; null where nobody says. */
  readonly sizeBytes: number | null;
  /** Puts it into a folder that is not there yet. @returns where it came from, with the commit where there is one */
  fetch(to: string): Promise<AppSource>;
}

/** What a fetch has of the job that it is part of. */
export interface FetchStep {
  readonly progress: JobProgress;
  /** Runs a command within the job. */
  readonly run: RunStep;
  /** A folder of the job's own. */
  readonly workDir: string;
}
