import type { PackageFiles } from '../../app-package/package-files.ts';
import type { AppSource, RequestedSource } from '../../contract/apps/app-source.ts';
import type { JobProgress } from '../../jobs/job-queue.ts';
import type { Clock } from '../../shared/clock.ts';
import type { RunStep } from '../python/python-env.ts';
import type { MissingSubmodule } from './submodules.ts';

/** A package that was inspected at its source, before its download. */
export interface FoundPackage {
  /** Its source, links resolved. */
  readonly source: RequestedSource;
  /** The files that can be checked before the download; null when nothing can be checked before. */
  readonly files: PackageFiles | null;
  /** Size of the download; null when unknown. */
  readonly sizeBytes: number | null;
  /**
   * Copies it into a new folder.
   * @param check called before the copy with the files of a folder that declares no app; throws the reason
   */
  fetch(to: string, check: (files: PackageFiles) => Promise<unknown>): Promise<FetchedPackage>;
}

export interface FetchedPackage {
  /** With the commit if there is one. */
  readonly source: AppSource;
  /** Those within the package or beside it, in its repository. */
  readonly submodules: readonly MissingSubmodule[];
}

/** The parts of a job that a fetch uses. */
export interface FetchStep {
  readonly clock: Clock;
  readonly progress: JobProgress;
  /** Runs a command within the job. */
  readonly run: RunStep;
  /** The job's work folder. */
  readonly workDir: string;
  readonly dataDir: string;
}
