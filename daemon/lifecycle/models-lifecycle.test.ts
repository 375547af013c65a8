import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { Catalog } from '../catalog/catalog.ts';
import type { CatalogSourceStatus } from '../contract/catalog/models.ts';
import { ShuttingDown } from '../shared/domain-error.ts';
import { createLogger } from '../shared/logger.ts';
import { ModelsLifecycle } from './models-lifecycle.ts';

const status: CatalogSourceStatus = {
  kind: 'remote',
  url: 'https://catalog.test/api/v1',
  hasToken: false,
  fetchedAt: null,
  problem: null,
  total: 7,
};

function someModels() {
  const calls: string[] = [];
  const call = (name: string) => async () => void calls.push(name);
  const open = vi.fn(call('open the catalog'));
  const logged: string[] = [];
  const models = new ModelsLifecycle({
    catalog: {
      open,
      load: async () => calls.push('load the catalog') as unknown as Catalog,
      status,
      close: call('close the catalog'),
    },
    endpoints: { close: call('close the endpoints') },
    news: { start: call('watch the endpoints'), close: () => void calls.push('stop watching') },
    sockets: { remove: call('remove the sockets') },
    supervisor: { start: call('load the endpoints'), close: call('end their processes') },
    leftoverContainers: { start: () => {}, close: call('leave the containers') },
    memoryWatch: { start: () => {}, stop: () => {} },
    memoryRecords: { load: call('load the memory'), close: call('save the memory') },
    speedRecords: { load: call('load the speeds'), close: call('save the speeds') },
    publish: (event) => calls.push(`event ${event.type}`),
    log: createLogger('error', (line) => logged.push(line)),
  });
  return { models, calls, open, logged };
}

const opening = [
  'open the catalog',
  'load the memory',
  'load the speeds',
  'event catalog-source.changed',
  'watch the endpoints',
  'load the endpoints',
  'load the catalog',
];

const closing = [
  'stop watching',
  'end their processes',
  'leave the containers',
  'close the catalog',
  'close the endpoints',
  'save the memory',
  'save the speeds',
  'remove the sockets',
];

test('models open once, after everything else of the start, and an event announces the catalog', async () => {
  const { models, calls } = someModels();
  models.start();
  expect(calls).toEqual([]);
  await nextTurn();
  await Promise.all([models.opened(), models.opened()]);
  expect(calls).toEqual(opening);
});

test('an earlier request opens them at once', async () => {
  const { models, calls } = someModels();
  models.start();
  await models.opened();
  await nextTurn();
  expect(calls).toEqual(opening);
});

test('a failure is logged, and the next request tries again', async () => {
  const { models, calls, open, logged } = someModels();
  open.mockRejectedValueOnce(new Error('the disk is gone'));
  models.start();
  await nextTurn();
  await vi.waitFor(() => expect(logged.join()).toContain('the disk is gone'));
  expect(calls).toEqual([]);
  await models.opened();
  expect(calls).toEqual(opening);
});

test('nothing opens while the daemon stops', async () => {
  const { models, calls } = someModels();
  models.start();
  await models.close();
  await nextTurn();
  await expect(models.opened()).rejects.toThrow(ShuttingDown);
  expect(calls).toEqual(closing);
});

test('a close waits for an opening under way, then closes everything', async () => {
  const { models, calls, open } = someModels();
  const disk = Promise.withResolvers<undefined>();
  open.mockImplementationOnce(() => disk.promise);
  const opened = models.opened();
  const closed = models.close();
  await nextTurn();
  expect(calls).toEqual([]);
  disk.resolve(undefined);
  await Promise.all([opened, closed]);
  expect(calls).toEqual([...opening.slice(1), ...closing]);
});
