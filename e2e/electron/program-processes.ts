/**
 * The processes of one start of the program. A variable that they inherit finds them, and the groups that these have: Chromium's
 * children write their title over their variables.
 */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { listProcesses, processesWithEnvironment, signalProcess } from '../../daemon/shared/processes/processes.ts';

const VARIABLE = 'DESKTOP_TEST_START';

export interface ProgramProcess {
  readonly pid: number;
  /** Its arguments, separated by spaces. */
  readonly command: string;
}

export class ProgramProcesses {
  readonly #mark = randomUUID();
  /** The groups that have had a process with the variable. */
  readonly #groups = new Set<number>();

  /** For the start of the program. */
  get env(): Record<string, string> {
    return { [VARIABLE]: this.#mark };
  }

  /** Those that live. */
  async list(): Promise<ProgramProcess[]> {
    const marked = new Set(await processesWithEnvironment(VARIABLE, this.#mark));
    const all = await listProcesses();
    for (const { pid, groupId } of all) if (marked.has(pid)) this.#groups.add(groupId);
    const own = all.filter(({ pid, groupId }) => marked.has(pid) || this.#groups.has(groupId));
    return Promise.all(
      own.map(async ({ pid }) => {
        const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''); // it has just ended
        return { pid, command: words.split('\0').join(' ').trim() };
      }),
    );
  }

  async matching(pattern: RegExp): Promise<number[]> {
    return (await this.list()).filter(({ command }) => pattern.test(command)).map(({ pid }) => pid);
  }

  /** Kills them with SIGKILL. @returns the ids of those that matched. @throws Error when there is none */
  async kill(pattern: RegExp): Promise<number[]> {
    const pids = await this.matching(pattern);
    if (pids.length === 0) throw new Error(`No process of the program matches ${pattern}.`);
    for (const pid of pids) signalProcess(pid, 'SIGKILL');
    return pids;
  }
}
