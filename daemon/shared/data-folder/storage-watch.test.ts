import { expect, test } from 'vitest';
import { manualClock } from '../../testing/manual-clock.ts';
import { DiskFull } from '../files/storage-errors.ts';
import { createLogger } from '../logger.ts';
import { StorageWatch } from './storage-watch.ts';

function someWatch() {
  const clock = manualClock();
  const disk = { isFull: false };
  const changes: unknown[] = [];
  const watch: StorageWatch = new StorageWatch({
    onChange: () => changes.push(watch.problem?.reason ?? null),
    clock,
    log: createLogger('error'),
  });
  const write = async () => {
    if (disk.isFull) throw new DiskFull('/data');
  };
  return { clock, watch, disk, changes, write };
}

test('a full disk is a problem until it takes a write again, which is tried every 5 s', async () => {
  const { clock, watch, disk, changes, write } = someWatch();
  disk.isFull = true;
  await watch.begin(write);
  await expect(watch.requireRoom()).rejects.toThrow(DiskFull);
  expect(watch.problem).toEqual({ reason: 'The disk of /data is full.', action: expect.stringContaining('Free') });
  await clock.advance(12_000);
  disk.isFull = false;
  await clock.advance(5_000);
  expect(changes).toEqual(['The disk of /data is full.', null]);
  await watch.requireRoom();
  expect(clock.pending).toBe(0);
});

test('a disk that fills up later is noticed when something needs it', async () => {
  const { clock, watch, disk, changes, write } = someWatch();
  await watch.begin(write);
  disk.isFull = true;
  await expect(watch.requireRoom()).rejects.toThrow(DiskFull);
  expect(changes).toEqual(['The disk of /data is full.']);
  await watch.close();
  expect(clock.pending).toBe(0);
});

test('closing waits for a write under way, and none begins after it', async () => {
  const { clock, watch, write } = someWatch();
  const slow = Promise.withResolvers<void>();
  let writes = 0;
  await watch.begin(write);
  const begun = watch.begin(() => {
    writes += 1;
    return slow.promise;
  });
  let isClosed = false;
  const closed = watch.close().then(() => (isClosed = true));
  await clock.advance(1_000);
  expect(isClosed).toBe(false);
  slow.resolve();
  await Promise.all([begun, closed]);
  await watch.requireRoom();
  expect(writes).toBe(1);
});

test('an error that is not about storage is no problem of the disk', async () => {
  const { watch } = someWatch();
  const bug = async () => {
    throw new TypeError('bug');
  };
  await expect(watch.begin(bug)).rejects.toThrow('bug');
  expect(watch.problem).toBeNull();
});
