import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { AppProcessInfo } from '../../../contract/apps/runs.ts';
import { type Clock, sleepOn } from '../../../shared/clock.ts';
import { askSystemTool } from '../../../shared/processes/system-tool.ts';
import type { Mask } from './run-mask.ts';

const LONGEST_COMMAND = 120;
const POLL_EVERY_MS = 500;
const PS_MS = 1_000;

/** A command line for people: on one line, without the program's folder, without secrets, shortened. */
export function commandText([file = '', ...args]: readonly string[], mask: Mask): string {
  const text = mask([basename(file), ...args].join(' '))
    .replace(/\s+/g, ' ')
    .trim();
  return text.length > LONGEST_COMMAND ? `${text.slice(0, LONGEST_COMMAND - 1)}…` : text;
}

/** Command lines of the processes, without those that have ended meanwhile. Not for Windows. */
export async function describeProcesses(pids: readonly number[], mask: Mask): Promise<AppProcessInfo[]> {
  if (pids.length === 0) return [];
  const commands = process.platform === 'linux' ? await fromProc(pids) : await fromPs(pids);
  return commands.map(({ pid, args }) => ({ pid, command: commandText(args, mask) }));
}

interface CommandLine {
  readonly pid: number;
  readonly args: readonly string[];
}

async function fromProc(pids: readonly number[]): Promise<CommandLine[]> {
  const found = await Promise.all(
    pids.map(async (pid) => {
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return line === '' ? [] : [{ pid, args: line.split('\0') }];
    }),
  );
  return found.flat();
}

async function fromPs(pids: readonly number[]): Promise<CommandLine[]> {
  const args = ['-ww', '-o', 'pid=,command=', '-p', pids.join(',')];
  const stdout = await askSystemTool('ps', args, { timeoutMs: PS_MS });
  return stdout.split('\n').flatMap((line) => {
    const [, pid, command] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    return command === undefined ? [] : [{ pid: Number(pid), args: command.split(' ') }];
  });
}

/** Polls the live processes and reports every change until `signal` aborts. */
export async function watchAlive(watch: {
  clock: Clock;
  list: () => Promise<AppProcessInfo[]>;
  onAlive: (alive: AppProcessInfo[]) => void;
  signal: AbortSignal;
}): Promise<void> {
  const { clock, list, onAlive, signal } = watch;
  let reported = '[]';
  for (;;) {
    await sleepOn(clock, POLL_EVERY_MS, signal).catch(() => {});
    if (signal.aborted) return;
    const alive = await list();
    if (signal.aborted) return;
    const text = JSON.stringify(alive);
    if (text !== reported) onAlive(alive);
    reported = text;
  }
}
