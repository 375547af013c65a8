import type { RunStep } from '../apps/python/python-env.ts';
import type { Python } from '../apps/python/python-finder.ts';
import type { Clock } from '../shared/clock.ts';
import type { DataPaths } from '../shared/files/data-paths.ts';

/** The inputs of every check. */
export interface CheckContext {
  readonly paths: DataPaths;
  /** Whether a process holds the data folder: its work in progress is not a leftover. */
  readonly isHeld: boolean;
  readonly installerDir: string;
  /** The folder of the bundled sample apps. */
  readonly samplesDir: string;
  /** The Python that a daemon would use now; null: none. */
  readonly python: Python | null;
  /** The uv program; null: not installed. */
  readonly uv: string | null;
  /** Runs a program with the environment that installs use. */
  readonly run: RunStep;
  readonly clock: Clock;
}
