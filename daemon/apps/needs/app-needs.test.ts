import { expect, test } from 'vitest';
import type { InstalledApp } from '../../contract/apps/apps.ts';
import type { AppNeed } from '../../contract/apps/needs.ts';
import type { EndpointRef } from '../../contract/endpoints/endpoint.ts';
import { appNamed } from '../../testing/apps/some-apps.ts';
import { AppNotInstalled } from '../installed/errors.ts';
import { AppNeeds } from './app-needs.ts';
import { AssignedEndpointNotFound, NeedNotFound, WrongTask } from './errors.ts';

const tasks: Readonly<Record<string, string>> = {
  'lab/chat': 'text-generation',
  'lab/see': 'image-text-to-text',
  'lab/embed': 'feature-extraction',
  'lab/own': 'custom',
  'home/mine': 'text-generation',
};
const ref = (id: string): EndpointRef => {
  const [namespace = '', name = ''] = id.split('/');
  return { namespace, name };
};

function setUp(...needs: AppNeed[]) {
  const assigned: unknown[] = [];
  const app = { ...appNamed('dance', { needs }), needs: needs.map((need) => ({ ...need, endpoint: null })) };
  const service = new AppNeeds({
    apps: {
      get: (name) => {
        if (name !== 'dance') throw new AppNotInstalled(name);
        return app as unknown as InstalledApp;
      },
      assign: async (...assignment) => void assigned.push(assignment),
    },
    endpoints: {
      find: async (endpoint) => {
        const task = tasks[`${endpoint.namespace}/${endpoint.name}`];
        return task ? { endpoint, task, model: 'm', state: 'running', message: '', isReady: true } : null;
      },
    },
  });
  const assign = (need: string, id: string | null, namespaces: string[] | null = null, app = 'dance') =>
    service.assign(app, need, id === null ? null : ref(id), { namespaces });
  return { assigned, assign };
}

const chat: AppNeed = { name: 'chat', task: 'text-generation', optional: false };
const see: AppNeed = { name: 'see', task: 'image-text-to-text', optional: false };

test('an endpoint of the same task, or one that serves it too, can be assigned', async () => {
  const { assigned, assign } = setUp(chat, see);
  await assign('chat', 'lab/chat');
  await assign('chat', 'lab/see');
  await assign('see', 'lab/see', ['lab']);
  await assign('chat', null, []);
  expect(assigned).toEqual([
    ['dance', 'chat', ref('lab/chat')],
    ['dance', 'chat', ref('lab/see')],
    ['dance', 'see', ref('lab/see')],
    ['dance', 'chat', null],
  ]);
});

test('an endpoint of a custom task can be assigned to any need: its owner knows what it serves', async () => {
  const { assigned, assign } = setUp(chat, see);
  await assign('chat', 'lab/own');
  await assign('see', 'lab/own');
  expect(assigned).toHaveLength(2);
});

test('a wrong task, an unknown need, and an endpoint that the caller may not use are refused', async () => {
  const { assigned, assign } = setUp(chat, see);
  await expect(assign('chat', 'lab/embed')).rejects.toThrow(WrongTask);
  await expect(assign('see', 'lab/chat')).rejects.toThrow(WrongTask);
  await expect(assign('talk', 'lab/chat')).rejects.toThrow(NeedNotFound);
  await expect(assign('chat', 'lab/gone')).rejects.toThrow(AssignedEndpointNotFound);
  await expect(assign('chat', 'home/mine', ['lab'])).rejects.toThrow(AssignedEndpointNotFound);
  await expect(assign('chat', 'home/mine', null, 'wave')).rejects.toThrow(AppNotInstalled);
  expect(assigned).toEqual([]);
});
