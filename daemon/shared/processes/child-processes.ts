import type { DataPaths } from '../files/data-paths.ts';
import type { Logger } from '../logger.ts';
import { childEnvironment, childMark } from './child-environment.ts';
import { LeaderRegister } from './leader-register.ts';
import { endOrphans } from './orphans.ts';

const SWEEP_MS = 2_000;

interface ChildProcessesDeps {
  readonly paths: DataPaths;
  readonly parentEnvironment: NodeJS.ProcessEnv;
  readonly log: Logger;
}

/** The child processes of daemons on one data folder. They carry its mark, so that none outlives its daemon. */
export class ChildProcesses {
  readonly #deps: ChildProcessesDeps;
  #mark: string | null = null;
  #leaders: LeaderRegister | null = null;

  constructor(deps: ChildProcessesDeps) {
    this.#deps = deps;
  }

  /** The environment of a new child. @throws Error before `begin`: the mark would be missing */
  environment(): Record<string, string> {
    if (this.#mark === null) throw new Error('begin() must run before the first child process: the mark is missing.');
    return childEnvironment(this.#deps.parentEnvironment, this.#mark);
  }

  /** Ends the processes of a killed daemon, then starts to record this daemon's children. The data folder must exist. */
  async begin(): Promise<void> {
    const { paths, log } = this.#deps;
    const mark = await childMark(paths.root);
    const { killed, gone } = await this.#end();
    if (killed.length > 0) log.warn(`ended ${killed.length} process(es) that an earlier daemon had left running`);
    if (!gone) log.error('some processes of an earlier daemon could not be ended');
    this.#leaders = new LeaderRegister({ file: paths.leadersFile, mark, log });
    this.#mark = mark;
  }

  /** Kills every child, within 2 s. */
  async sweep(): Promise<void> {
    await this.#leaders?.written();
    await this.#end();
  }

  /** Records the children now, so that the disk is known to take it. @throws StorageError */
  async record(): Promise<void> {
    await this.#leaders?.save();
  }

  async close(): Promise<void> {
    await this.#leaders?.close();
  }

  #end() {
    return endOrphans(this.#deps.paths, SWEEP_MS);
  }
}
