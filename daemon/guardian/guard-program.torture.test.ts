/** The built guardian as a program, without a daemon. */
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test, vi } from 'vitest';
import { dataPaths } from '../shared/files/data-paths.ts';
import { newDataDir, projectDir, robotDaemonProgram } from '../testing/daemon/test-daemon.ts';
import { inTerminal } from '../testing/terminal/in-terminal.ts';
import type { Assignment } from './assignment.ts';
import { messageLine } from './guardian.ts';
import { UnexpectedEnd } from './unexpected-end.ts';

const built = join(projectDir, 'dist', 'node');

function start(program = join(built, 'guard.cjs')) {
  return execa(process.execPath, [program], { reject: false, cleanup: false, timeout: 60_000, killSignal: 'SIGKILL' });
}

async function someAssignment(more: Partial<Assignment> = {}): Promise<Assignment> {
  const dataDir = await newDataDir();
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const hardware: unknown = JSON.parse(await readFile(join(projectDir, 'assets', 'hardware', 'lite.json'), 'utf8'));
  // A process that has ended, with a number that no other has.
  return {
    dataDir,
    ...{ pid: 2 ** 22 + 1, startTime: null, program: '/no/such/program' },
    ...{ robot: 'lite', serialPort: join(dataDir, 'no-port'), hardware },
    ...more,
  };
}

test('a guardian that got no assignment ends with its pipe, without a word', async () => {
  const guardian = start();
  guardian.stdin.end();
  expect(await guardian).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
});

test('a rescue reads no file of the program: they may be gone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-'));
  for (const name of ['guard.cjs', 'rescue.cjs', 'prebuilds']) {
    await cp(join(built, name), join(folder, name), { recursive: true });
  }
  const assignment = await someAssignment();
  const guardian = start(join(folder, 'guard.cjs'));
  guardian.stdin.write(messageLine({ type: 'guard', assignment }));
  let said = '';
  guardian.stderr.on('data', (chunk) => {
    said += chunk;
  });
  await vi.waitFor(() => expect(said).toContain('guardian: ready'));
  await rm(folder, { recursive: true });
  guardian.stdin.end();
  expect(await guardian).toMatchObject({ exitCode: 0 });
  const record: unknown = JSON.parse(await readFile(dataPaths(assignment.dataDir).unexpectedEndFile, 'utf8'));
  // Of the serial port's library: it was there, and found no port.
  expect(UnexpectedEnd.parse(record).robot).toMatchObject({ reason: 'The robot is not plugged in.' });
});

test('an assignment that is none is refused when it is needed, and the exit code says so', async () => {
  const guardian = start();
  guardian.stdin.end(messageLine({ type: 'guard', assignment: {} as Assignment }));
  const { exitCode, stderr } = await guardian;
  expect(exitCode).toBe(1);
  expect(stderr).toContain('guardian: the rescue failed');
});

test.skipIf(process.platform === 'win32')('in a terminal it says that there is nothing to do', async () => {
  const { code, output } = await inTerminal([process.execPath, robotDaemonProgram, 'guard'], []);
  expect(output).toContain('Robot Desktop starts its own: there is nothing to do in a terminal.');
  expect(code).toBe(2);
});

test('the command is not among those of users, but says what it is', async () => {
  const run = (...args: string[]) => execa(process.execPath, [robotDaemonProgram, ...args], { reject: false });
  expect((await run('--help')).stdout).not.toMatch(/^ *guard\b/m);
  const { stdout, exitCode } = await run('guard', '--help');
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    'If the daemon could not do so before it ended, it stops the app and the models, and folds the robot',
  );
  expect(exitCode).toBe(0);
});
