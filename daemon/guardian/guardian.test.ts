import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createLogger } from '../shared/logger.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { ENDS_IN_ORDER_WITHIN_MS, Guardian, RESCUE_CAP_MS } from './guardian.ts';

function someGuardian({ rescue = async () => {} }: { rescue?: () => Promise<void> } = {}) {
  const input = new PassThrough();
  const process = new EventEmitter();
  const clock = manualClock();
  const rescued: unknown[] = [];
  const exits: number[] = [];
  const logged: string[] = [];
  new Guardian({
    input,
    process,
    rescue: (assignment) => {
      rescued.push(assignment);
      return rescue();
    },
    exit: (code) => exits.push(code),
    clock,
    log: createLogger('info', (line) => logged.push(line.slice(13).split('\n')[0] ?? '')),
  }).start();
  const tell = async (...lines: string[]) => {
    for (const line of lines) input.write(`${line}\n`);
    await clock.advance(0);
  };
  return { input, process, clock, rescued, exits, logged, tell };
}
const guard = JSON.stringify({ type: 'guard', assignment: { dataDir: '/data' } });
const inOrder = JSON.stringify({ type: 'ended-in-order' });

test('it sets no timer while it guards', async () => {
  const { clock, exits, tell } = someGuardian();
  await tell(guard);
  expect([clock.pending, exits]).toEqual([0, []]);
});

test('the word that the daemon has ended in order ends it, in one piece with the end of the pipe too', async () => {
  const { input, clock, rescued, exits, tell } = someGuardian();
  await tell(guard);
  input.end(`${inOrder}\n`);
  await clock.advance(0);
  expect([rescued, exits]).toEqual([[], [0]]);
});

test('a pipe that ends or fails begins the rescue of what was assigned', async () => {
  for (const breakPipe of [(pipe: PassThrough) => pipe.end(), (pipe: PassThrough) => pipe.destroy(new Error('gone'))]) {
    const { input, clock, rescued, exits, tell } = someGuardian();
    await tell(guard);
    breakPipe(input);
    await clock.advance(0);
    expect([rescued, exits]).toEqual([[{ dataDir: '/data' }], [0]]);
  }
});

test('a session that ends gives the daemon ten seconds', async () => {
  const { process, clock, rescued, exits, tell } = someGuardian();
  await tell(guard);
  process.emit('SIGTERM');
  await clock.advance(ENDS_IN_ORDER_WITHIN_MS - 1);
  expect(rescued).toEqual([]);
  await clock.advance(1);
  expect([rescued.length, exits]).toEqual([1, [0]]);
});

test('a closed terminal and Ctrl-C do not end it', () => {
  const { process, exits } = someGuardian();
  expect(process.emit('SIGINT') && process.emit('SIGHUP')).toBe(true); // false: nobody listens, so that they would end it
  expect(exits).toEqual([]);
});

test('a rescue that fails is logged, and is its exit code', async () => {
  const { input, clock, exits, logged, tell } = someGuardian({ rescue: () => Promise.reject(new Error('no port')) });
  await tell(guard);
  input.end();
  await clock.advance(0);
  expect(exits).toEqual([1]);
  expect(logged.at(-1)).toBe('error guardian: the rescue failed: Error: no port');
});

test('a rescue that hangs is given up', async () => {
  const { input, clock, exits, logged, tell } = someGuardian({ rescue: () => new Promise(() => {}) });
  await tell(guard);
  input.end();
  await clock.advance(RESCUE_CAP_MS - 1);
  expect(exits).toEqual([]);
  await clock.advance(1);
  expect(exits).toEqual([1]);
  expect(logged.at(-1)).toBe('error guardian: it gives up after 45 s');
});

test('lines that are no messages are logged and change nothing', async () => {
  const { exits, logged, tell } = someGuardian();
  await tell('{', 'null', '{"type":"guard"}', '{"type":"ended"}', guard);
  const complaint = 'warn  guardian: it was sent a line that is no message';
  expect(logged).toEqual([complaint, complaint, complaint, complaint, 'info  guardian: ready']);
  expect(exits).toEqual([]);
});
