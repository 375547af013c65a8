import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { dataPaths } from '../shared/files/data-paths.ts';
import type { CheckContext } from './check.ts';
import { checkRecords } from './record-checks.ts';

async function dataFolder() {
  const root = await mkdtemp(join(tmpdir(), 'records-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const paths = dataPaths(root);
  const check = (heldSince: string | null = null) => checkRecords({ paths, heldSince } as CheckContext);
  return { root, paths, check };
}

test.skipIf(process.platform === 'win32')('pipes in the place of records are found, and not waited for', async () => {
  const { root, check } = await dataFolder();
  for (const name of ['jobs.json', 'store.json', 'catalog-source.json']) await execa('mkfifo', [join(root, name)]);
  expect((await check()).map(({ code }) => code)).toEqual(['record-damaged', 'record-damaged', 'record-damaged']);
});

test('what is known of graphics cards is read, or found damaged', async () => {
  const { paths, check } = await dataFolder();
  await writeFile(paths.graphicsCardsFile, '{"isOn":true,"found":null,"failure":null}');
  expect(await check()).toEqual([]);
  await writeFile(paths.graphicsCardsFile, '{"isOn":1}');
  expect(await check()).toMatchObject([
    { code: 'record-damaged', where: paths.graphicsCardsFile, fix: { kind: 'set-aside' } },
  ]);
});

test("the record of an app's reset is read, or found damaged; what the reset has set aside is no finding", async () => {
  const { paths, check } = await dataFolder();
  const dance = join(paths.apps, 'dance');
  const record = join(dance, 'reset.json');
  await mkdir(join(dance, 'reset-0123456789ab', 'files'), { recursive: true });
  await writeFile(join(dance, 'reset-0123456789ab', 'variables.json'), '{}');
  await writeFile(record, '{"done":null,"moving":null}');
  expect(await check()).toEqual([]);
  await writeFile(record, '{"done":{"folder":"../.."},"moving":null}');
  expect(await check()).toMatchObject([{ code: 'record-damaged', where: record, fix: { kind: 'set-aside' } }]);
});

test('half-written files are found wherever the daemon writes', async () => {
  const { root, check } = await dataFolder();
  const half = [
    ...['jobs.json.4023', 'remote-catalog.jsonl.1', 'access-token.99', 'endpoints/endpoint-chat.json.7'],
    'endpoints/endpoint-lab.chat.json.8',
    'secret-key.9b2e6b0c-7d3f-4c4e-9a51-0d5b3c1f2e7a',
    ...['apps/dance/current.json.31', 'apps/dance/variables.json.4294967295', 'models/ada--tiny/repository.json.5'],
    'runtimes/llama-server.json.6',
  ];
  const others = [
    'access-token',
    'secret-key',
    'secret-key.damaged-20261122T100000123',
    'apps/dance/notes.1',
    'mine.2',
  ];
  for (const path of [...half, ...others]) {
    await mkdir(join(root, path, '..'), { recursive: true });
    await writeFile(join(root, path), '');
  }
  const findings = await check();
  expect(findings).toMatchObject([{ code: 'half-written', fix: { kind: 'remove' } }]);
  const paths = findings.flatMap(({ fix }) => (fix.kind === 'remove' ? fix.paths : []));
  expect([...paths].sort()).toEqual(half.map((path) => join(root, path)).sort());
});

test('what a running daemon is writing is no leftover; what was there before it began is', async () => {
  const { root, check } = await dataFolder();
  const began = new Date('2026-11-28T10:00:00.000Z');
  for (const [name, secondsAfter] of [
    ['jobs.json.1', -60],
    ['runs.json.2', 60],
  ] as const) {
    const path = join(root, name);
    await writeFile(path, '');
    const at = new Date(began.getTime() + secondsAfter * 1_000);
    await utimes(path, at, at);
  }
  expect(await check(began.toISOString())).toMatchObject([
    { code: 'half-written', fix: { kind: 'remove', paths: [join(root, 'jobs.json.1')] } },
  ]);
});
