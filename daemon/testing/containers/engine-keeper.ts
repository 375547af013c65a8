/**
 * Keeps what a container engine of the tests has on the machine: a program that waits for the end of its standard input,
 * which the end of the tests closes too, however they end. Then it ends the engine, removes every container of it, and its
 * folder. Its argument is the folder; the file `podman.json` there has the command that reaches the engine.
 */
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { killUntilGone, listProcesses } from '../../shared/processes/processes.ts';
import type { PodmanCommand } from './engine-settings.ts';

const folder = process.argv[2] as string;
const DEADLINE_MS = 20_000;
const RETRY_MS = 200;

process.on('SIGINT', () => {}); // Ctrl-C reaches the tests, whose end closes the input
process.on('SIGTERM', () => {});
await buffer(process.stdin);

const { command, env, networkFile } = JSON.parse(await readFile(join(folder, 'podman.json'), 'utf8')) as PodmanCommand;
const [program, ...options] = command;
const run = (file: string, args: readonly string[]) =>
  execa(file, args, { env, extendEnv: false, timeout: DEADLINE_MS, reject: false, stdin: 'ignore' });

await endProcessesWith(`unix://${join(folder, 'podman.sock')}`);
await run(program, [...options, 'rm', '--all', '--force', '--time', '0']);
await rm(networkFile, { force: true });
// A container that has just ended is cleaned up by another Podman, which mounts the folder again.
await endProcessesWith(join(folder, 'root'));
const untilMs = performance.now() + DEADLINE_MS;
while (existsSync(folder) && performance.now() < untilMs) {
  await unmountAll();
  await rm(folder, { recursive: true, force: true }).catch(() => sleep(RETRY_MS));
}

/** By the command line: the service may have been started again a moment ago. */
async function endProcessesWith(text: string): Promise<void> {
  const found = async () => {
    const all = (await listProcesses()).map(async ({ pid }) => {
      const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return commandLine.includes(text) ? [pid] : [];
    });
    return (await Promise.all(all)).flat();
  };
  await killUntilGone(found, DEADLINE_MS);
}

/** The file systems that are still mounted in the folder, the inner ones first. */
async function unmountAll(): Promise<void> {
  const lines = (await readFile('/proc/self/mountinfo', 'utf8')).split('\n');
  const mounted = lines.map((line) => line.split(' ')[4] ?? '').filter((path) => path.startsWith(`${folder}/`));
  if (mounted.length > 0) await run('umount', ['--lazy', ...mounted.sort().reverse()]);
}
