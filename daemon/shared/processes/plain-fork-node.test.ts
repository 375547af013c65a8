import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test, vi } from 'vitest';
import { plainForkNode } from './fork-node.ts';
import { processesInGroup, signalGroup } from './processes.ts';

const env = { PATH: process.env['PATH'] ?? '', ROBOT_TEST: 'yes' };

test('a Node program gets its arguments, its environment and a channel', async () => {
  const child = await plainForkNode(
    program('console.log(process.argv[2], process.env.ROBOT_TEST, process.env.HOME, process.connected)'),
    ['one'],
    { env },
  );
  const [line] = await once(child.stdout, 'data');
  expect(String(line)).toBe('one yes undefined true\n');
});

test('it leads a process group, and its end has a code or a signal', async () => {
  const leaver = await plainForkNode(program('process.exit(3)'), [], { env });
  expect(await leaver.exited).toEqual({ code: 3, signal: null });
  const sleeper = await plainForkNode(program('setInterval(() => {}, 1000)'), [], { env });
  expect(await processesInGroup(sleeper.pid)).toEqual([sleeper.pid]);
  signalGroup(sleeper.pid, 'SIGKILL');
  expect(await sleeper.exited).toEqual({ code: null, signal: 'SIGKILL' });
});

test('its channel closes when the process that started it is killed', async () => {
  const child = program(`process.on('disconnect', () => process.exit()); console.log(process.pid)`);
  const module = join(import.meta.dirname, 'fork-node.ts');
  const parent = `const { plainForkNode } = await import(${JSON.stringify(module)});
    const child = await plainForkNode(${JSON.stringify(child)}, [], { env: {} });
    child.stdout.pipe(process.stdout);`;
  const running = execa(process.execPath, ['--input-type=module', '--eval', parent], { reject: false, cleanup: false });
  const [pid] = await once(running.stdout, 'data');
  running.kill('SIGKILL');
  await vi.waitFor(async () => expect(await processesInGroup(Number(pid))).toEqual([]));
});

/** A CommonJS program. */
function program(code: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'fork-node-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'program.cjs');
  writeFileSync(file, code);
  return file;
}
