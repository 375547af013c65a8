import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cpuOffer } from '../catalog/compute/this-machine.ts';
import type { EndpointRequest } from '../contract/endpoints/endpoint-request.ts';
import { InvalidBody } from '../shared/invalid-input.ts';
import { endpointsIn, minimalRequest, noProcesses } from '../testing/models/some-endpoints.ts';
import type { EndpointCaller } from './endpoint-caller.ts';
import { EndpointManagement } from './endpoint-management.ts';
import { NamespaceNotFound } from './states/errors.ts';

const machine = cpuOffer({ cpus: 2, cpuModel: 'CPU', totalBytes: 8e9, availableBytes: 8e9 });
const ann: EndpointCaller = { id: 't1', name: 'ann', namespaces: ['lab'] };

async function begin(offers = [machine], localImage = async (model: EndpointRequest['model']) => model.image) {
  const folder = await mkdtemp(join(tmpdir(), 'management-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const endpoints = endpointsIn(folder);
  return {
    endpoints,
    management: new EndpointManagement({
      endpoints,
      offers: async () => offers,
      supervisor: noProcesses,
      traffic: { forget: () => {} },
      localImage,
    }),
  };
}

test('an endpoint is placed on existing compute and records who created and changed it', async () => {
  const { management } = await begin();
  const made = await management.create(ann, 'lab', minimalRequest('chat'));
  expect(made.compute.id).toBe(machine.id);
  expect(made.status.createdBy).toEqual({ id: 't1', name: 'ann' });
  const bob = { id: 't2', name: 'bob', namespaces: null };
  expect((await management.update(bob, 'lab', 'chat', { tags: ['a'] })).status.updatedBy).toEqual({
    id: 't2',
    name: 'bob',
  });
});

test('an endpoint is neither created on nor moved to compute that does not exist', async () => {
  const { endpoints, management } = await begin();
  const movedCompute = { ...minimalRequest('chat').compute, instanceSize: 'x4' };
  const request = { ...minimalRequest('chat'), compute: movedCompute };
  await expect(management.create(ann, 'lab', request)).rejects.toThrow(InvalidBody);
  expect(endpoints.status.total).toBe(0);
  await management.create(ann, 'lab', minimalRequest('chat'));
  await expect(management.update(ann, 'lab', 'chat', { compute: { instanceSize: 'x4' } })).rejects.toThrow(InvalidBody);
});

test('in another’s namespace nothing is found, created or changed', async () => {
  const { endpoints, management } = await begin();
  await management.create({ ...ann, namespaces: null }, 'home', minimalRequest('chat'));
  const { revision } = endpoints.status;
  const outcomes = await Promise.allSettled([
    management.list(ann, 'home', { limit: 1 }),
    management.create(ann, 'home', minimalRequest('other')),
    management.get(ann, 'home', 'chat'),
    management.update(ann, 'home', 'chat', { tags: ['a'] }),
    management.remove(ann, 'home', 'chat'),
    management.apply('pause', ann, 'home', 'chat'),
    management.apply('resume', ann, 'home', 'chat'),
    management.apply('scale-to-zero', ann, 'home', 'chat'),
    management.hardware(ann, 'home'),
  ]);
  for (const outcome of outcomes) {
    expect(outcome).toEqual({ status: 'rejected', reason: expect.any(NamespaceNotFound) });
  }
  expect(endpoints.status).toMatchObject({ revision, total: 1 });
});

test('the image of a model is chosen where the client leaves it to this machine, at a change too', async () => {
  const asked: string[] = [];
  const llamacpp = { url: 'engines/llamacpp:cpu', modelPath: '/repository' };
  const { management } = await begin([machine], async ({ repository }) => {
    asked.push(repository);
    return { llamacpp };
  });
  const made = await management.create(ann, 'lab', minimalRequest('chat'));
  expect(made.model.image).toEqual({ llamacpp });
  await management.update(ann, 'lab', 'chat', { model: { image: { tei: { url: 'engines/tei:cpu' } } } });
  await management.update(ann, 'lab', 'chat', { model: { repository: 'ada/other' } });
  const changed = await management.update(ann, 'lab', 'chat', { model: { image: { hub: {} } } });
  expect(changed.model).toMatchObject({ repository: 'ada/other', image: { llamacpp } });
  expect(asked).toEqual(['somebody/a-model', 'ada/other']);
});
