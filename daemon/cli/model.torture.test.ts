/** The command `robot-daemon model`, and the doctor's report on model files, with and without a running daemon. */
import { access, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { daemonAt } from '../client/node/daemon-at.ts';
import { byteText } from '../contract/common/byte-text.ts';
import type { ModelFile } from '../contract/model-files/model-files.ts';
import type { Diagnosis } from '../doctor/examine.ts';
import { succeeds } from '../shared/async/succeeds.ts';
import { startDaemonProcess } from '../testing/daemon/daemon-process.ts';
import { runCli } from '../testing/daemon/run-cli.ts';
import { newDataDir } from '../testing/daemon/test-daemon.ts';
import { startFakeHub } from '../testing/fake-hub.ts';
import { modelFilesIn } from '../testing/models/model-files-in.ts';
import { endpointsIn, partsNamed, somebody } from '../testing/models/some-endpoints.ts';
import { tinyGguf } from '../testing/models/tiny-gguf.ts';

const repository = 'ada/tiny-gguf';
let dataDir: string;
/** By name. */
const locations: Record<string, string> = {};
const bytes = tinyGguf().length;

beforeAll(async () => {
  dataDir = await newDataDir([]); // nothing is installed
  await using hub = await startFakeHub();
  const names = ['used', 'unused', 'other', 'partial', 'cut'];
  const files = names.map((name, seed) => [`${name}.gguf`, { lfs: tinyGguf({ seed }) }] as const);
  await hub.addModel({ id: repository, files: Object.fromEntries(files) });
  const models = modelFilesIn(join(dataDir, 'models'), hub.url);
  const options = { signal: new AbortController().signal, onProgress: () => {} };
  for (const name of names) {
    const wanted = { repository, revision: null, model: `${name}.gguf`, mmproj: null, draft: null };
    locations[name] = (await models.ensure(wanted, options)).modelPath;
  }
  await rm(locations['partial'] as string);
  await writeFile(`${locations['partial']}.part`, 'GGUF');
  await writeFile(locations['cut'] as string, 'GGUF');
  const endpoints = endpointsIn(join(dataDir, 'endpoints'));
  const image = { llamacpp: { url: 'x', modelPath: '/repository/used.gguf' } };
  const parts = partsNamed('poet', { model: { repository, framework: 'llamacpp', image } });
  await endpoints.create({ namespace: 'lab', parts, person: somebody, reasons: [], namePath: [] });
  await endpoints.apply({ namespace: 'lab', name: 'poet' }, { type: 'pause' }, { by: somebody });
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const model = (...args: string[]) => runCli('model', ...args, '--data-dir', dataDir);
const listed = async () => JSON.parse((await model('ls', '--json')).out) as ModelFile[];
const idOf = async (name: string) => (await listed()).find(({ path }) => path === `${name}.gguf`)?.id ?? '';
const isThere = (path: string | undefined) => succeeds(access(path ?? ''));
const doctor = async (...args: string[]) => {
  const { out } = await runCli('doctor', '--json', ...args, '--data-dir', dataDir);
  const { findings, inventory } = JSON.parse(out) as Diagnosis;
  return {
    files: inventory.modelFiles.map(({ path, users }) => [path, ...users]),
    found: findings
      .filter(({ code }) => code.startsWith('model-'))
      .map(({ code, where }) => [code, where])
      .toSorted((a, b) => String(a).localeCompare(String(b))),
  };
};

test('without a daemon, files are listed with their state and users, and removed when unused', async () => {
  expect((await listed()).map(({ path, state, users }) => [path, state, users])).toEqual([
    ['cut.gguf', 'damaged', []],
    ['other.gguf', 'complete', []],
    ['partial.gguf', 'partial', []],
    ['unused.gguf', 'complete', []],
    ['used.gguf', 'complete', ['poet']],
  ]);
  const { code, out } = await model('ls');
  expect(code).toBe(0);
  expect(out).toMatch(/^ID +SIZE +STATE +USED BY +LAST USED +FILE\n/);
  expect(out).toMatch(/\n[0-9a-f]{16} +4\d\d kB +complete +poet +\d{4}-\d\d-\d\d +ada\/tiny-gguf used\.gguf\n/);
  expect(out).toMatch(/ [\d.]+ k?B of 4\d\d kB +partial +unused /);

  expect(await model('rm', await idOf('used'))).toMatchObject({
    code: 1,
    text: 'robot-daemon: used.gguf cannot be removed. The endpoint "poet" uses it: delete the endpoint first.\n',
  });
  expect(await model('rm', await idOf('unused'))).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^unused\.gguf of ada\/tiny-gguf is removed: 4\d\d kB\.\n$/),
  });
  expect(await isThere(locations['unused'])).toBe(false);
  expect(await model('rm', 'nothing')).toMatchObject({
    code: 1,
    text: 'robot-daemon: There is no model file with the id "nothing".\n',
  });
});

test('bad arguments are refused with a sentence and code 2', async () => {
  for (const args of [[], ['rm'], ['ls', 'x'], ['get', 'x']])
    expect((await model(...args)).code, args.join(' ')).toBe(2);
  expect((await runCli('model', '--help')).code).toBe(0);
});

test('the doctor reports the files, and removes unused partial downloads only', async () => {
  const expected = [
    ['model-damaged', locations['cut']],
    ['model-unused', locations['other']],
  ];
  const partial = ['model-partial', locations['partial']];
  const before = await doctor();
  expect(before.files).toEqual([['cut.gguf'], ['other.gguf'], ['partial.gguf'], ['used.gguf', 'poet']]);
  expect(before.found).toEqual([expected[0], partial, expected[1]]);
  expect(await isThere(`${locations['partial']}.part`)).toBe(true);
  await doctor('--fix');
  expect(await isThere(`${locations['partial']}.part`)).toBe(false);
  expect((await doctor()).found).toEqual(expected);
  const { out } = await runCli('doctor', '--data-dir', dataDir);
  expect(out).toContain('\nModel files\n');
  expect(out).toContain(`  ada/tiny-gguf used.gguf: ${byteText(bytes)}, used by poet\n`);
});

test('a running daemon lists and removes them; the token for that is gone afterwards', async () => {
  const daemon = await startDaemonProcess(dataDir);
  try {
    expect((await listed()).map(({ path, users }) => [path, ...users])).toEqual([
      ['cut.gguf'],
      ['other.gguf'],
      ['used.gguf', 'poet'],
    ]);
    expect(await model('rm', await idOf('used'))).toMatchObject({ code: 1, text: expect.stringContaining('"poet"') });
    const removed = await model('rm', await idOf('other'), '--json');
    expect(JSON.parse(removed.out)).toMatchObject({ path: 'other.gguf' });
    expect(await isThere(locations['other'])).toBe(false);
    expect(JSON.parse(await readFile(join(dataDir, 'tokens.json'), 'utf8')).tokens).toEqual([]);

    const token = (await runCli('token', 'create', '--data-dir', dataDir)).out.trim();
    const check = (path = '') => daemonAt(daemon.url, { token }).call('checkModelFile', { body: { path } });
    expect(await check(locations['used'])).toMatchObject({ architecture: 'llama', sizeBytes: bytes });
    await expect(check(locations['cut'])).rejects.toThrow('cut.gguf is cut off');
  } finally {
    daemon.process.kill('SIGTERM');
    await daemon.exited;
  }
});
