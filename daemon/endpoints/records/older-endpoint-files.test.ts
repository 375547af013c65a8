/** Earlier versions stored an endpoint by its name alone: such files are read and get the name that they have now. */
import { cp, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../../shared/logger.ts';
import { mayMount, type SmallDisk, smallDisk } from '../../testing/disks/small-disk.ts';
import { partsNamed, pendingSince } from '../../testing/models/some-endpoints.ts';
import { fileOf, isStored, olderFileOf } from './endpoint-files.ts';
import { type EndpointRecord, neverServed, refOf } from './endpoint-record.ts';
import { EndpointRecords } from './endpoint-records.ts';
import { noSecrets } from './endpoint-secrets.ts';

async function folderWith(...records: readonly EndpointRecord[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'endpoints-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const each of records) await writeFile(join(folder, olderFileOf(each.endpoint.name)), JSON.stringify(each));
  return folder;
}

async function storeIn(folder: string, lines: string[] = []): Promise<EndpointRecords> {
  const store = new EndpointRecords({
    ...{ folder, restore: (record) => record, publish: () => {} },
    log: createLogger('debug', (line) => lines.push(line)),
  });
  await store.load();
  return store;
}

function record(namespace: string, name: string, reason = 'It fits.'): EndpointRecord {
  const endpoint = { ...partsNamed(name), status: pendingSince('2026-11-21T11:00:00.000Z') };
  return { namespace, endpoint, reasons: [reason], sealed: noSecrets, ...neverServed, life: [] };
}

const [chat, words] = [record('lab', 'chat'), record('home', 'words')];
const newer = [fileOf({ namespace: 'home', name: 'words' }), 'endpoint-lab.chat.json'];

test('they are read, and renamed once', async () => {
  const folder = await folderWith(chat, words);
  for (let start = 0; start < 2; start++) {
    expect((await storeIn(folder)).all).toEqual([chat, words]);
    expect((await readdir(folder)).sort()).toEqual(newer);
  }
});

test.each([0, 1])(
  'after a kill between the renames, with %i of two done, nothing is lost, and the next start renames the rest',
  async (done) => {
    const folder = await folderWith(chat, words);
    for (const { endpoint, namespace } of [chat, words].slice(0, done)) {
      const { name } = endpoint;
      await rename(join(folder, olderFileOf(name)), join(folder, fileOf({ namespace, name })));
    }
    expect((await storeIn(folder)).all).toEqual([chat, words]);
    expect((await readdir(folder)).sort()).toEqual(newer);
  },
);

const isPossible = await mayMount();
if (!isPossible) console.warn('SKIPPED: no disk may be mounted here');
test.skipIf(!isPossible)('one that cannot be renamed is used as it is: changed and removed', async () => {
  await using disk = (await smallDisk(1)) as SmallDisk;
  const folder = await folderWith(chat, words);
  const onDisk = join(disk.dir, 'endpoints');
  await cp(folder, onDisk, { recursive: true });
  const makeWritable = await disk.makeReadOnly();
  const store = await storeIn(onDisk);
  expect(store.all).toEqual([chat, words]);
  await makeWritable();
  await store.put(record('lab', 'chat', 'It is new.'));
  await store.put(record('home', 'chat'));
  await store.remove(refOf(words));
  expect((await readdir(onDisk)).sort()).toEqual(['endpoint-chat.json', 'endpoint-home.chat.json']);
  expect((await storeIn(onDisk)).all).toEqual([record('home', 'chat'), record('lab', 'chat', 'It is new.')]);
  expect((await readdir(onDisk)).sort()).toEqual(['endpoint-home.chat.json', 'endpoint-lab.chat.json']);
});

test('one whose endpoint has a newer file is left as it is, and named in the log', async () => {
  const folder = await folderWith();
  await (await storeIn(folder)).put(chat);
  const older = JSON.stringify(record('lab', 'chat', 'An earlier version made it.'));
  await writeFile(join(folder, 'endpoint-chat.json'), older);
  const lines: string[] = [];
  expect((await storeIn(folder, lines)).all).toEqual([chat]);
  expect(lines.join('')).toContain('endpoint-chat.json is skipped: endpoint-lab.chat.json has its endpoint');
  expect(await readFile(join(folder, 'endpoint-chat.json'), 'utf8')).toBe(older);
});

test('one that was left goes with its endpoint, so that it does not come back; not one of another namespace', async () => {
  const folder = await folderWith(chat, words);
  const store = await storeIn(folder);
  await writeFile(join(folder, 'endpoint-chat.json'), JSON.stringify(chat));
  await writeFile(join(folder, 'endpoint-words.json'), JSON.stringify(record('lab', 'words')));
  await store.remove(refOf(chat));
  await store.remove(refOf(words));
  expect(await readdir(folder)).toEqual(['endpoint-words.json']);
});

test('one does not take the place of a file that holds something else', async () => {
  const folder = await folderWith(chat, words);
  await rename(join(folder, 'endpoint-words.json'), join(folder, 'endpoint-lab.chat.json'));
  const lines: string[] = [];
  expect((await storeIn(folder, lines)).all).toEqual([chat]);
  expect(lines.join('')).toContain('endpoint-lab.chat.json is skipped: the endpoint in it is named "home/words"');
  expect((await readdir(folder)).sort()).toEqual(['endpoint-chat.json', 'endpoint-lab.chat.json']);
});

test('the name of one that cannot be read is taken in every namespace: nobody knows its own', async () => {
  const folder = await folderWith(words);
  await symlink('endpoint-loop.json', join(folder, 'endpoint-loop.json'));
  const store = await storeIn(folder);
  const taken = (namespace: string, name: string) => store.has({ namespace, name });
  expect([taken('lab', 'loop'), taken('home', 'loop'), taken('home', 'words'), taken('lab', 'words')]).toEqual([
    ...[true, true, true, false],
  ]);
});

test('drafts of earlier versions are removed', async () => {
  const folder = await folderWith();
  for (const draft of ['endpoint-chat.json.17', 'endpoint-lab.chat.json.18']) await writeFile(join(folder, draft), '{');
  await storeIn(folder);
  expect(await readdir(folder)).toEqual([]);
});

test('a command finds an endpoint in a file of either version, without a daemon', async () => {
  const folder = await folderWith(chat);
  const find = (namespace: string) => isStored(folder, { namespace, name: 'chat' });
  expect([await find('lab'), await find('home')]).toEqual([true, false]);
  await storeIn(folder);
  expect([await find('lab'), await find('home')]).toEqual([true, false]);
});
