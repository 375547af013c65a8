/** An endpoint whose model has no chat template continues text, and refuses chats. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { somebody } from '../../testing/models/some-endpoints.ts';
import { CHAT, superviseEndpoint } from '../../testing/models/supervised-endpoint.ts';
import { tinyFacts } from '../../testing/models/tiny-facts.ts';
import { ChatTemplateMissing } from '../states/errors.ts';

const base = { ...tinyFacts, hasChatTemplate: false };
const mayNotChat = new ChatTemplateMissing('chat');
const image = { url: 'engines/llamacpp:cpu', modelPath: '/models/tiny.gguf' };
const never = new AbortController().signal;

async function supervised(given: Parameters<typeof superviseEndpoint>[0] = {}) {
  const endpoint = await superviseEndpoint({ check: async () => base, ...given });
  const { supervisor, endpoints } = endpoint;
  return {
    ...endpoint,
    chat: () => supervisor.acquire(CHAT, { waitMs: 60_000, signal: never, isChat: true }),
    setImage: (more: object) =>
      endpoints.update('me', 'chat', { model: { image: { llamacpp: { ...image, ...more } } } }, somebody),
  };
}

test('it runs, says so, continues text, and refuses chats without counting them', async () => {
  const { chat, acquire, state, report } = await supervised();
  expect([await state(), (await report()).lacksChatTemplate]).toEqual(['running', true]);
  await expect(chat()).rejects.toEqual(mayNotChat);
  const backend = await acquire();
  expect((await report()).replicas).toMatchObject([{ requests: 1 }]);
  backend.release();
});

test('a refused chat wakes nothing, also after a restart of the daemon; a text does', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'chats-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const first = await supervised();
  await first.endpoints.apply(CHAT, { type: 'scale-to-zero' }, { by: somebody });
  await expect(first.chat()).rejects.toEqual(mayNotChat);
  expect([await first.state(), first.running()]).toEqual(['scaledToZero', 0]);
  await first.supervisor.close();
  const second = await supervised({ folder: first.folder });
  await expect(second.chat()).rejects.toEqual(mayNotChat);
  expect([await second.state(), second.running(), (await second.report()).lacksChatTemplate]).toEqual([
    ...['scaledToZero', 0, true],
  ]);
  const text = second.acquire();
  await second.clock.advance(1_000);
  (await text).release();
  expect(second.running()).toBe(1);
});

test('a chat that waits for the first start is refused once the file was read', async () => {
  const read = Promise.withResolvers<typeof base>();
  const { chat, clock } = await supervised({ check: () => read.promise });
  const refused = expect(chat()).rejects.toEqual(mayNotChat);
  read.resolve(base);
  await clock.advance(0);
  await refused;
});

test('with a template of the owner’s choice it chats', async () => {
  const { chat, clock, setImage, report } = await supervised();
  await setImage({ chatTemplate: 'llama3' });
  await clock.advance(60_000);
  expect((await report()).lacksChatTemplate).toBe(false);
  (await chat()).release();
});

test('what is known of a file is not taken for another one', async () => {
  const { chat, clock, setImage, endpoints, running, report } = await supervised();
  await endpoints.apply(CHAT, { type: 'scale-to-zero' }, { by: somebody });
  await setImage({ modelPath: '/models/other.gguf' });
  expect((await report()).lacksChatTemplate).toBe(false);
  const refused = expect(chat()).rejects.toEqual(mayNotChat); // it wakes, and the other file has none either
  await clock.advance(1_000);
  await refused;
  expect(running()).toBe(1);
});

test('a model with a template chats', async () => {
  const { chat, report } = await supervised({ check: async () => tinyFacts });
  expect((await report()).lacksChatTemplate).toBe(false);
  (await chat()).release();
});
