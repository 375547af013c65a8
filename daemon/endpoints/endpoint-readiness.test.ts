import { expect, test, vi } from 'vitest';
import type { ComputeOffer } from '../catalog/compute/compute-offer.ts';
import type { EndpointState } from '../contract/endpoints/endpoint.ts';
import { endpointId } from '../contract/endpoints/endpoint-id.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { EndpointReadiness } from './endpoint-readiness.ts';
import type { EndpointRecord } from './records/endpoint-record.ts';
import type { Backend } from './replicas/backends.ts';
import { EndpointNotFound } from './states/errors.ts';

const chat = { namespace: 'lab', name: 'chat' };

function over(parts: { vendor?: string; state?: EndpointState; readyReplica?: number } = {}) {
  const endpoint = {
    name: 'chat',
    provider: { vendor: parts.vendor ?? 'local', region: 'here' },
    compute: { id: 'big' },
    model: { task: 'text-generation', repository: 'ada/chat' },
    status: { state: parts.state ?? 'scaledToZero', message: 'Asleep.', readyReplica: parts.readyReplica ?? 0 },
  };
  const served = Promise.withResolvers<Backend>();
  const release = vi.fn();
  const backend = { id: 'r1', address: { socketPath: '/s' }, healthRoute: '/health' };
  const { signal: lost } = new AbortController();
  const free = { ...backend, lost, answers: () => {}, openedSession: () => {}, release };
  const replica = { isReady: true };
  const offers = vi.fn(async () => [
    { vendor: 'aws', region: 'there', id: 'big', pricePerHour: 9 } as ComputeOffer,
    { vendor: 'aws', region: 'here', id: 'big', pricePerHour: 1.5 } as ComputeOffer,
  ]);
  const acquire = vi.fn(() => served.promise);
  const clock = manualClock();
  const readiness = new EndpointReadiness({
    endpoints: {
      load: async () => {},
      record: (of) =>
        endpointId(of) === 'lab/chat' ? ({ namespace: 'lab', endpoint } as unknown as EndpointRecord) : undefined,
    },
    replicas: { acquire, peek: () => (replica.isReady ? backend : null) },
    offers,
    clock,
  });
  return { readiness, endpoint, served, free, acquire, release, offers, replica, clock };
}

test('an endpoint is found by both its names, and is ready while a replica is', async () => {
  const sleeping = over();
  expect(await sleeping.readiness.find(chat)).toEqual({
    ...{ endpoint: chat, task: 'text-generation', model: 'ada/chat' },
    ...{ state: 'scaledToZero', message: 'Asleep.', isReady: false },
  });
  expect(await sleeping.readiness.find({ ...chat, namespace: 'home' })).toBeNull();
  expect(await sleeping.readiness.find({ ...chat, name: 'other' })).toBeNull();
  const running = over({ state: 'running', readyReplica: 1 });
  expect(await running.readiness.find(chat)).toMatchObject({ isReady: true });
  running.replica.isReady = false;
  expect(await running.readiness.find(chat)).toMatchObject({ isReady: false });
});

test('this machine costs nothing, and its offers are not looked up; an unknown offer has no known price', async () => {
  const local = over();
  expect(await local.readiness.priceOf(chat)).toBe(0);
  expect(local.offers).not.toHaveBeenCalled();
  const paid = over({ vendor: 'aws' });
  expect(await paid.readiness.priceOf(chat)).toBe(1.5);
  paid.endpoint.compute.id = 'gone';
  expect(await paid.readiness.priceOf(chat)).toBeNull();
});

test('the progress of a start is reported when it changes, and the replica is released at once', async () => {
  const { readiness, endpoint, served, free, acquire, release, clock } = over();
  const reports: string[] = [];
  const wait = {
    appName: 'dance',
    waitMs: 60_000,
    signal: new AbortController().signal,
    onProgress: (text: string) => reports.push(text),
  };
  const ready = readiness.untilReady(chat, wait);
  await clock.advance(300);
  expect(acquire).toHaveBeenCalledWith(chat, expect.objectContaining({ by: { kind: 'start', name: 'dance' } }));
  expect(reports).toEqual([]); // it still sleeps
  Object.assign(endpoint.status, { state: 'initializing', message: 'Loading the model.' });
  await clock.advance(250);
  expect(reports).toEqual(['Loading the model.']);
  await clock.advance(60_000);
  expect(reports).toEqual(['Loading the model.']);
  served.resolve(free);
  await ready;
  expect(release).toHaveBeenCalledOnce();
  Object.assign(endpoint.status, { message: 'Another.' });
  await clock.advance(60_000);
  expect(reports).toHaveLength(1);
  await expect(readiness.untilReady({ ...chat, name: 'other' }, wait)).rejects.toThrow(EndpointNotFound);
});
