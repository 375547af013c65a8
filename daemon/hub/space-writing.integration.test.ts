/** Writing to a hub that behaves like the real one. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeHub, startFakeHub } from '../testing/fake-hub.ts';
import { movableClock } from '../testing/movable-clock.ts';
import { hubClient } from '../testing/publishing/hub-client.ts';
import { HubError } from './errors.ts';

const TOKEN = 'hf_of_ada';
const ID = 'ada/wave';
const signal = new AbortController().signal;
const bytes = (text: string) => new TextEncoder().encode(text);
/** Of the hub alone. */
const clock = movableClock();
let hub: FakeHub;
let folder: string;
beforeEach(async () => {
  hub = await startFakeHub(clock);
  hub.addToken(TOKEN, { name: 'ada', role: 'write' });
  folder = await mkdtemp(join(tmpdir(), 'robot-desktop-'));
});
afterEach(async () => {
  await hub[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const said = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof HubError ? `${error.kind}: ${error.message} ${error.action}` : String(error)),
  );

test('a Space is created once, with its visibility, and gets commits of added, changed and removed files', async () => {
  const client = hubClient(hub.url, TOKEN);
  await client.createSpace(ID, { private: true, signal });
  await client.createSpace(ID, { private: false, signal });
  const created = await client.resolve(ID, null, signal);
  expect(created.private).toBe(true);

  const large = join(folder, 'large');
  await writeFile(large, Buffer.alloc(10 * 1024 ** 2 + 1, 65));
  const changes = [
    { path: 'with space/ä.txt', content: bytes('ä') },
    { path: 'large.dat', content: { file: large } },
    { path: 'README.md', content: null },
  ];
  const commit = await client.commit(ID, { parent: created.commit, title: 'Add', changes, signal });
  const now = await client.resolve(ID, null, signal);
  expect(now.commit).toBe(commit);
  const files = await client.files({ type: 'space', id: ID }, commit, signal);
  expect(files.map(({ path, size, sha256 }) => [path, size, sha256 !== null])).toEqual([
    ['.gitattributes', expect.any(Number), false],
    ['large.dat', 10 * 1024 ** 2 + 1, true],
    ['with space/ä.txt', 2, false],
  ]);
  const toStore = hub.requests.filter(({ method }) => method === 'PUT');
  expect(toStore.map(({ authorization }) => authorization)).toEqual([null]);
});

test('a commit on an older one changes nothing', async () => {
  const client = hubClient(hub.url, TOKEN);
  const { sha: parent } = await hub.addSpace({ id: ID, files: { 'README.md': '# Wave' } });
  const { sha } = await hub.commit(ID, { 'other.txt': 'theirs' });
  const changes = [{ path: 'other.txt', content: bytes('mine') }];
  expect(await said(client.commit(ID, { parent, title: 'Mine', changes, signal }))).toBe(
    'conflict: Space ada/wave has changed since it was read. Try again.',
  );
  expect((await client.resolve(ID, null, signal)).commit).toBe(sha);
});

test('refusals say what to do', async () => {
  hub.addToken('hf_reader', { name: 'ada', role: 'read' });
  const create = (token: string | null, id = ID) =>
    said(hubClient(hub.url, token).createSpace(id, { private: true, signal }));
  expect(await create('hf_reader')).toBe(
    'auth: The hub does not let this account write to Space ada/wave: You don\'t have the rights to write to the namespace "ada". Create a token with write permission on the hub\'s website, or ask the owner for access.',
  );
  expect(await create(TOKEN, 'bob/wave')).toMatch(/^auth: The hub does not let this account write to Space bob\/wave/);
  expect(await create(null)).toBe('auth: There is no token of the hub. Sign in to the hub first.');
  expect(await create('hf_gone')).toBe('auth: The hub does not accept the token. Sign in to the hub again.');
  expect(await create(TOKEN, 'no name')).toMatch(/^not-found: /);
});

test('what is sent is not redirected, and a busy hub is asked again', async () => {
  const client = hubClient(hub.url, TOKEN);
  hub.misbehave({ redirectTo: `${hub.url}/elsewhere` });
  expect(await said(client.createSpace(ID, { private: true, signal }))).toMatch(
    /^refused-address: .* redirects what is sent/,
  );
  hub.misbehave({ status: 503, retryAfterS: 0, times: 2 });
  await client.createSpace(ID, { private: true, signal });
  expect(await hub.history(ID)).toEqual(['initial commit']);
});

test('a file that is gone or changes meanwhile fails without a commit', async () => {
  const client = hubClient(hub.url, TOKEN);
  const { sha: parent } = await hub.addSpace({ id: ID, files: { 'README.md': '# Wave' } });
  const send = (name: string) => {
    const changes = [{ path: name, content: { file: join(folder, name) } }];
    return said(client.commit(ID, { parent, title: 'Add', changes, signal }));
  };
  expect(await send('gone.txt')).toBe('refused: gone.txt was changed or removed while it was sent. Try again.');
  await writeFile(join(folder, 'changes.txt'), 'before');
  hub.misbehave({ delayMs: 60_000, only: /preupload/ });
  const sending = send('changes.txt');
  await expect.poll(() => hub.requests.some(({ path }) => path.includes('preupload'))).toBe(true);
  await writeFile(join(folder, 'changes.txt'), 'after that');
  await clock.pass(60_000, 60_000);
  expect(await sending).toBe('refused: A file was changed or removed while it was sent. Try again.');
  expect(await hub.history(ID)).toEqual(['initial commit']);
});
