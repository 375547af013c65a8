/** The commands on a Node that is too old for them: `process.versions` says so; the newer one is a program of its own. */
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { projectDir } from '../testing/daemon/test-daemon.ts';

let tree: string;
beforeEach(async () => {
  tree = await realpath(await mkdtemp(join(tmpdir(), 'robot desktop tree ')));
  await cp(join(projectDir, 'bin'), join(tree, 'bin'), { recursive: true });
  const older = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } });";
  await writeFile(join(tree, 'older.cjs'), older);
});
afterEach(() => rm(tree, { recursive: true, force: true }));

async function giveNode(lines: readonly string[]): Promise<void> {
  await mkdir(join(tree, 'node_modules', '.bin'), { recursive: true });
  await writeFile(join(tree, 'node_modules', '.bin', 'node'), ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 });
}
const script = () => join(tree, 'bin', 'robot-app-assistant.cjs');
const run = (...args: string[]) =>
  execa(process.execPath, ['--require', join(tree, 'older.cjs'), script(), ...args], {
    input: 'typed\n',
    reject: false,
  });

test.skipIf(process.platform === 'win32')(
  "run with the project's own Node: arguments, input, output and exit code",
  async () => {
    await giveNode(['read line', 'shift 2', 'printf "%s|" "$line" "$@"', 'exit 7']);
    const { stdout, exitCode } = await run('check', 'my app');
    expect({ stdout, exitCode }).toEqual({ stdout: `typed|${script()}|check|my app|`, exitCode: 7 });
  },
);

test.skipIf(process.platform === 'win32')('end as that Node ends, also by a signal', async () => {
  await giveNode(['kill -TERM $$']);
  expect(await run('check')).toMatchObject({ signal: 'SIGTERM' });
});

test.skipIf(process.platform === 'win32')('pass a signal on to it', async () => {
  await giveNode(["trap 'echo ended; exit 3' TERM", 'echo ready', 'while :; do read line || sleep 0.05; done']);
  const child = run('check');
  child.stdout?.once('data', () => child.kill('SIGTERM'));
  expect(await child).toMatchObject({ stdout: 'ready\nended', exitCode: 3 });
});

test('say what to do where the project has no Node of its own', async () => {
  expect(await run('check')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(
      /^robot-app-assistant needs Node 24 or newer, and this is v.*(npm run build|nodejs\.org)/,
    ),
  });
});
