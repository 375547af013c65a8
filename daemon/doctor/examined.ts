import type { RunStep } from '../apps/python/python-env.ts';
import type { Python } from '../apps/python/python-finder.ts';
import type { DataPaths } from '../shared/files/data-paths.ts';

/** What every check looks at. */
export interface Examined {
  readonly paths: DataPaths;
  /** A process has the data folder: what it has under construction is not rubbish. */
  readonly isHeld: boolean;
  readonly installerDir: string;
  /** The folder of the apps that travel with Robot Desktop. */
  readonly samplesDir: string;
  /** The one that a daemon would find now; null: none. */
  readonly python: Python | null;
  /** null: there is none. */
  readonly uv: string | null;
  /** Runs a program as the daemon runs an install's. */
  readonly run: RunStep;
}
