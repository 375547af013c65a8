import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { utilityForkNode } from './utility-fork-node.ts';

class FakeChild extends EventEmitter {
  pid: number | undefined;
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
}

function forkWith(whenReady = async () => {}) {
  const child = new FakeChild();
  const forks: unknown[][] = [];
  const fork = (...given: unknown[]) => {
    forks.push(given);
    return child;
  };
  return { child, forks, forkNode: utilityForkNode({ fork }, whenReady) };
}

test('a program runs in a utility process with its arguments and environment, once Electron is ready', async () => {
  const ready = Promise.withResolvers<void>();
  const { child, forks, forkNode } = forkWith(() => ready.promise);
  const starting = forkNode('/runner.cjs', ['{}'], { env: { PATH: '/bin' } });
  expect(forks).toEqual([]);
  ready.resolve();
  await expect.poll(() => forks).toHaveLength(1);
  expect(forks[0]).toEqual([
    '/runner.cjs',
    ['{}'],
    { env: { PATH: '/bin' }, stdio: 'pipe', serviceName: 'Robot Desktop model' },
  ]);
  child.pid = 77;
  child.emit('spawn');
  const started = await starting;
  expect(started).toMatchObject({ pid: 77, stdout: child.stdout, stderr: child.stderr });
  child.emit('exit', 9);
  expect(await started.exited).toEqual({ code: 9, signal: null });
});

test('a program that a fault ended tells its signal, which Electron gives as a code', async () => {
  const { child, forkNode } = forkWith();
  child.pid = 77;
  const starting = forkNode('/runner.cjs', [], { env: {} });
  await Promise.resolve();
  child.emit('spawn');
  const { exited } = await starting;
  child.emit('exit', 139);
  expect(await exited).toEqual({ code: null, signal: 'SIGSEGV' });
});

test('a program that ends before it starts is refused', async () => {
  const { child, forks, forkNode } = forkWith();
  const starting = forkNode('/runner.cjs', [], { env: {} });
  await expect.poll(() => forks).toHaveLength(1);
  child.emit('exit', 1);
  await expect(starting).rejects.toThrow('Electron could not start /runner.cjs.');
});
