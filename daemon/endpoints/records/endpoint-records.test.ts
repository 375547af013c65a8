import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DataFolderReadOnly } from '../../shared/files/storage-errors.ts';
import { createLogger } from '../../shared/logger.ts';
import { mayMount, type SmallDisk, smallDisk } from '../../testing/disks/small-disk.ts';
import { partsNamed, pendingSince } from '../../testing/models/some-endpoints.ts';
import { seededRandom } from '../../testing/seeded-random.ts';
import { compareSortKeys, type EndpointRecord, neverServed, sortKeyOf } from './endpoint-record.ts';
import { EndpointRecords } from './endpoint-records.ts';
import { noSecrets } from './endpoint-secrets.ts';
import { StoredEndpoint } from './stored-endpoint.ts';

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'endpoints-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, 'endpoints');
}

async function storeIn(folder: string, lines: string[] = []): Promise<EndpointRecords> {
  const store = new EndpointRecords({
    ...{ folder, restore: (record) => record, publish: () => {} },
    log: createLogger('debug', (line) => lines.push(line)),
  });
  await store.load();
  return store;
}

function record(name: string, minute: number, more: Partial<EndpointRecord> = {}): EndpointRecord {
  const createdAt = new Date(Date.UTC(2026, 10, 21, 11, minute)).toISOString();
  const endpoint = { ...partsNamed(name), status: pendingSince(createdAt) };
  const rest = { sealed: noSecrets, ...neverServed, life: [] };
  return { namespace: 'me', endpoint, reasons: ['It fits.'], ...rest, ...more };
}

const mine = (name: string) => ({ namespace: 'me', name });

const names = (records: readonly EndpointRecord[]) => records.map(({ endpoint }) => endpoint.name);

test('a stored router has a port for gRPC only where its protocol needs one', () => {
  const portOf = (protocol: 'http' | 'extProc') => {
    const customRouter = { env: {}, grpcPort: 9002, port: 3000, protocol, tag: 'v1' };
    return StoredEndpoint.parse({ ...record('a', 0).endpoint, customRouter }).customRouter?.grpcPort;
  };
  expect([portOf('http'), portOf('extProc')]).toEqual([null, 9002]);
});

test('records are sorted newest first, then by name, then by namespace', async () => {
  const store = await storeIn(await emptyFolder());
  for (const [name, minute] of [
    ['m', 1],
    ['z', 2],
    ['a', 1],
    ['b', 3],
    ['c', 2],
  ] as const) {
    await store.put(record(name, minute));
  }
  await store.put(record('a', 1, { namespace: 'ann' }));
  await store.put(record('a', 1, { namespace: 'you' }));
  expect(names(store.all)).toEqual(['b', 'c', 'z', 'a', 'a', 'a', 'm']);
  expect(store.all.slice(3, 6).map(({ namespace }) => namespace)).toEqual(['ann', 'me', 'you']);
  const [, , , first] = store.all;
  const after = first ? store.after(sortKeyOf(first), 2, () => true) : [];
  expect(after.map(({ namespace }) => namespace)).toEqual(['me', 'you']);
  await store.remove(mine('a'));
  expect(store.all.slice(3, 5).map(({ namespace }) => namespace)).toEqual(['ann', 'you']);
});

const isPossible = await mayMount();
if (!isPossible) console.warn('SKIPPED: no disk may be mounted here');
test.skipIf(!isPossible)('where nothing can be written there is nothing to read; once it can, all works', async () => {
  await using disk = (await smallDisk(1)) as SmallDisk;
  const makeWritable = await disk.makeReadOnly();
  const folder = join(disk.dir, 'endpoints');
  const store = await storeIn(folder);
  expect(store.all).toEqual([]);
  await expect(store.put(record('a', 1))).rejects.toThrow(DataFolderReadOnly);
  await makeWritable();
  await store.put(record('a', 1));
  expect(names((await storeIn(folder)).all)).toEqual(['a']);
});

test('more replicas than one machine runs, as earlier versions stored them, count as the most that one does', async () => {
  const folder = await emptyFolder();
  const store = await storeIn(folder);
  const { endpoint, ...rest } = record('many', 1);
  const scaling = { ...endpoint.compute.scaling, minReplica: 33, maxReplica: 2 ** 31 - 1 };
  await store.put({ ...rest, endpoint: { ...endpoint, compute: { ...endpoint.compute, scaling } } });
  const read = (await storeIn(folder)).get(mine('many'));
  expect(read?.endpoint.compute.scaling).toEqual({ ...scaling, minReplica: 32, maxReplica: 32 });
});

test('after any sequence of writes and removals, memory and disk agree', async () => {
  const folder = await emptyFolder();
  const store = await storeIn(folder);
  const random = seededRandom(20_261_122);
  const expected = new Map<string, EndpointRecord>();
  for (let turn = 0; turn < 300; turn++) {
    const name = `n${Math.floor(random() * 25)}`;
    if (random() < 0.3) {
      await store.remove(mine(name));
      expected.delete(name);
    } else {
      const put = record(name, Math.floor(random() * 5), { reasons: [`Turn ${turn}.`] });
      await store.put(put);
      expected.set(name, put);
    }
    const sorted = [...expected.values()].sort((a, b) => compareSortKeys(sortKeyOf(a), sortKeyOf(b)));
    expect(store.all).toEqual(sorted);
  }
  expect(store.all.length).toBeGreaterThan(5);
  expect((await storeIn(folder)).all).toEqual(store.all);
});

test('reserved names are safe as file names, and only the owner may read the files', async () => {
  const folder = await emptyFolder();
  const store = await storeIn(folder);
  const reserved = ['con', 'nul', 'aux', 'prn', 'com1', 'lpt9', '-', '--', 'a'.repeat(32)];
  for (const name of reserved) await store.put(record(name, 0));
  const files = await readdir(folder);
  expect(files.sort()).toEqual(reserved.map((name) => `endpoint-me.${name}.json`).sort());
  for (const file of files) expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect(names((await storeIn(folder)).all)).toEqual([...reserved].sort());
});

test('damaged files are set aside, drafts removed, and all other files read', async () => {
  const folder = await emptyFolder();
  const store = await storeIn(folder);
  for (const name of ['whole', 'half', 'empty', 'other', 'copied']) await store.put(record(name, 0));
  const path = (name: string) => join(folder, `endpoint-me.${name}.json`);
  const text = await readFile(path('half'), 'utf8');
  await writeFile(path('half'), text.slice(0, text.length / 2));
  await writeFile(path('empty'), '');
  await writeFile(path('other'), text.replace('"pending"', '"asleep"'));
  await writeFile(path('copied'), text);
  await writeFile(`${path('whole')}.123456`, text);
  await writeFile(join(folder, 'notes.txt'), 'mine');

  const lines: string[] = [];
  const again = await storeIn(folder, lines);
  expect(names(again.all)).toEqual(['whole']);
  expect((await readdir(folder)).map((name) => name.replace(/-\d{8}T\d{9}$/, '')).sort()).toEqual([
    ...['endpoint-me.copied.json', 'endpoint-me.empty.json.damaged', 'endpoint-me.half.json.damaged'],
    ...['endpoint-me.other.json.damaged', 'endpoint-me.whole.json', 'notes.txt'],
  ]);
  expect(lines.filter((line) => line.includes('is set aside'))).toHaveLength(3);
  expect(lines.join('')).toContain('endpoint-me.copied.json is skipped: the endpoint in it is named "me/half"');
  await again.put(record('half', 1));
  expect(names((await storeIn(folder)).all)).toEqual(['half', 'whole']);
});

test('a record that cannot be read stays, its name is taken, and the others are read', async () => {
  const folder = await emptyFolder();
  await (await storeIn(folder)).put(record('whole', 0));
  await symlink('endpoint-me.loop.json', join(folder, 'endpoint-me.loop.json')); // nobody can read it
  const lines: string[] = [];
  const store = await storeIn(folder, lines);
  expect([names(store.all), store.has(mine('loop')), store.has(mine('whole')), store.has(mine('other'))]).toEqual([
    ...[['whole'], true, true, false],
  ]);
  expect(lines.join('')).toContain('endpoint-me.loop.json: the record of its endpoint cannot be read');
  expect((await readdir(folder)).sort()).toEqual(['endpoint-me.loop.json', 'endpoint-me.whole.json']);
});

test('a record that cannot be written is not stored', async () => {
  const folder = await emptyFolder();
  const store = await storeIn(folder);
  await store.put(record('there', 0));
  await rm(folder, { recursive: true });
  await writeFile(folder, 'in the way');
  await expect(store.put(record('new', 1))).rejects.toThrow();
  await expect(store.put(record('there', 0, { reasons: [] }))).rejects.toThrow();
  expect(store.all).toEqual([record('there', 0)]);
});
