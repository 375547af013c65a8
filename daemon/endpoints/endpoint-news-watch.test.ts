import { expect, test } from 'vitest';
import type { EndpointRef } from '../contract/endpoints/endpoint.ts';
import type { EndpointLifeEvent } from '../contract/endpoints/endpoint-life.ts';
import { partsNamed, pendingSince } from '../testing/models/some-endpoints.ts';
import { EndpointNewsWatch } from './endpoint-news.ts';
import { type EndpointRecord, neverServed } from './records/endpoint-record.ts';

const at = '2026-11-21T11:00:00.000Z';
const created: EndpointLifeEvent = { at, kind: 'created', cause: 'ada created it.' };
const ready: EndpointLifeEvent = { at, kind: 'ready', cause: 'It answers, 0.6 s after it was created.' };
const failed: EndpointLifeEvent = { at, kind: 'failed', cause: 'The process ended with exit code 1.' };

function recordWith(life: EndpointLifeEvent[]): EndpointRecord {
  return {
    namespace: 'lab',
    endpoint: { ...partsNamed('chat'), status: pendingSince(at) },
    reasons: [],
    sealed: { variables: {}, imagePassword: null },
    ...neverServed,
    life,
  };
}

async function watching(first: EndpointRecord | undefined) {
  const logged: string[] = [];
  let record = first;
  let follow: (endpoint: EndpointRef) => void = () => {};
  const watch = new EndpointNewsWatch({
    endpoints: {
      load: async () => {},
      record: () => record,
      get records() {
        return record ? [record] : [];
      },
      subscribe: (listener) => {
        follow = listener;
        return () => {};
      },
    },
    report: () => {},
    forget: () => {},
    now: () => new Date(at),
    log: {
      info: (text) => void logged.push(`info ${text}`),
      warn: (text) => void logged.push(`warn ${text}`),
    },
  });
  await watch.start();
  const become = (next: EndpointRecord | undefined) => {
    record = next;
    follow({ namespace: 'lab', name: 'chat' });
  };
  return { logged, become };
}

test('the events of a new endpoint are logged once each, with their causes, and its end', async () => {
  const { logged, become } = await watching(undefined);
  become(recordWith([created]));
  become(recordWith([created]));
  become(recordWith([created, ready, failed]));
  become(undefined);
  expect(logged).toEqual([
    'info endpoints: lab/chat created: ada created it.',
    'info endpoints: lab/chat ready: It answers, 0.6 s after it was created.',
    'warn endpoints: lab/chat failed: The process ended with exit code 1.',
    'info endpoints: lab/chat deleted',
  ]);
});

test('the earlier life of an endpoint is not logged again at the start, also when its oldest events went', async () => {
  const { logged, become } = await watching(recordWith([created, ready]));
  become(recordWith([created, ready]));
  become(recordWith([ready, failed]));
  expect(logged).toEqual(['warn endpoints: lab/chat failed: The process ended with exit code 1.']);
});
