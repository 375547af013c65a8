import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { Models } from './create-models.ts';
import { LateModels } from './late-models.ts';
import { createLogger } from './shared/logger.ts';
import { ShuttingDown } from './shared/shutting-down.ts';

const log = createLogger('error', () => {});

function lateModels() {
  const close = vi.fn(async () => {});
  const catalog = { open: async () => {}, status: { kind: 'remote', total: 7 } };
  const models = { catalog, endpoints: { status: { total: 3, revision: 1, states: {} } }, start: vi.fn(), close };
  const create = vi.fn(async () => models as unknown as Models);
  const publish = vi.fn();
  return { create, close, publish, late: new LateModels(create, publish) };
}

test('they are loaded once, behind the start, and then it is said what there is', async () => {
  const { create, publish, late } = lateModels();
  late.start(log);
  expect([create.mock.calls.length, late.catalogSource.kind, late.endpoints.total]).toEqual([0, 'embedded', 0]);
  await nextTurn();
  await Promise.all([late.get(), late.get()]);
  expect(create).toHaveBeenCalledTimes(1);
  expect(publish).toHaveBeenCalledExactlyOnceWith({
    type: 'catalog-source.changed',
    catalogSource: { kind: 'remote', total: 7 },
  });
  expect(late.endpoints.total).toBe(3);
});

test('after a failure they are tried again', async () => {
  const { create, late } = lateModels();
  create.mockRejectedValueOnce(new Error('no memory'));
  await expect(late.get()).rejects.toThrow('no memory');
  await expect(late.get()).resolves.toBeDefined();
});

test('a daemon that ends before anybody asked for them loads none, one that has them ends them', async () => {
  const early = lateModels();
  early.late.start(log);
  await early.late.close();
  await nextTurn();
  await expect(early.late.get()).rejects.toThrow(ShuttingDown);
  expect(early.create).not.toHaveBeenCalled();

  const loaded = lateModels();
  await loaded.late.get();
  await loaded.late.close();
  expect(loaded.close).toHaveBeenCalledTimes(1);
});
