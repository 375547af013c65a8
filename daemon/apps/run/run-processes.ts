import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AppProcessInfo } from '../../contract/apps/runs.ts';
import { askSystemTool } from '../../shared/processes/system-tool.ts';
import type { Mask } from './run-mask.ts';

const LONGEST_COMMAND = 120;
const LOOK_EVERY_MS = 500;
const PS_MS = 1_000;

/** A command line for a person: on one line, without the folder of its program, without secrets, shortened. */
export function commandWords([file = '', ...args]: readonly string[], mask: Mask): string {
  const words = mask([basename(file), ...args].join(' '))
    .replace(/\s+/g, ' ')
    .trim();
  return words.length > LONGEST_COMMAND ? `${words.slice(0, LONGEST_COMMAND - 1)}…` : words;
}

/** What those processes are, by their command lines; one that is gone meanwhile is left out. Not for Windows. */
export async function describeProcesses(pids: readonly number[], mask: Mask): Promise<AppProcessInfo[]> {
  if (pids.length === 0) return [];
  const commands = process.platform === 'linux' ? await fromProc(pids) : await fromPs(pids);
  return commands.map(({ pid, words }) => ({ pid, command: commandWords(words, mask) }));
}

interface CommandLine {
  readonly pid: number;
  readonly words: readonly string[];
}

async function fromProc(pids: readonly number[]): Promise<CommandLine[]> {
  const found = await Promise.all(
    pids.map(async (pid) => {
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return line === '' ? [] : [{ pid, words: line.split('\0') }];
    }),
  );
  return found.flat();
}

async function fromPs(pids: readonly number[]): Promise<CommandLine[]> {
  const args = ['-ww', '-o', 'pid=,command=', '-p', pids.join(',')];
  const stdout = await askSystemTool('ps', args, { timeoutMs: PS_MS });
  return stdout.split('\n').flatMap((line) => {
    const [, pid, command] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    return command === undefined ? [] : [{ pid: Number(pid), words: command.split(' ') }];
  });
}

/** Tells who is still there, again and again while that changes, until `signal` ends it. */
export async function watchAlive(watch: {
  look: () => Promise<AppProcessInfo[]>;
  onAlive: (alive: AppProcessInfo[]) => void;
  signal: AbortSignal;
}): Promise<void> {
  const { look, onAlive, signal } = watch;
  let told = '[]';
  for (;;) {
    await sleep(LOOK_EVERY_MS, null, { signal }).catch(() => {});
    if (signal.aborted) return;
    const alive = await look();
    if (signal.aborted) return;
    const text = JSON.stringify(alive);
    if (text !== told) onAlive(alive);
    told = text;
  }
}
