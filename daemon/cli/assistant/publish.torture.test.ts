/** Refusals of `robot-app-assistant publish` and `create --publish`, and their texts for an author. */
import { appendFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runAssistant } from '../../testing/daemon/run-cli.ts';
import { type FakeHub, startFakeHub } from '../../testing/fake-hub.ts';

const TOKEN = 'hf_of_ada';
let folder: string;
let hub: FakeHub;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'robot desktop publish '));
  hub = await startFakeHub();
  hub.addToken(TOKEN, { name: 'ada', role: 'write' });
});
afterEach(async () => {
  await hub[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const assistantWith = (token: string, ...args: string[]) =>
  runAssistant(args, {
    cwd: folder,
    env: { HOME: folder, GIT_CONFIG_NOSYSTEM: '1', HF_TOKEN: token, ROBOT_HUB_TOKEN: '', NO_COLOR: '1' },
  });
const create = (name: string) => assistantWith('', 'create', name, '.');
const publishWith = (token: string, ...args: string[]) =>
  assistantWith(token, 'publish', ...args, '--hub', hub.url, '--data-dir', join(folder, 'data'));
const publish = (...args: string[]) => publishWith(TOKEN, ...args);
const writes = () => hub.requests.filter(({ method }) => method !== 'GET');

test('another visibility than that of the Space is refused before anything is done, with the place to change it', async () => {
  await create('blinky');
  expect(await publish('blinky', '--yes', '--private')).toMatchObject({ code: 0 });
  await appendFile(join(folder, 'blinky', 'README.md'), 'More.\n');
  const before = writes().length;
  for (const args of [['--yes'], ['--dry-run']]) {
    const refused = await publish('blinky', '--public', ...args);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.text).toContain('The Space ada/blinky is private, and a publication keeps it so.');
    expect(refused.text).toContain(`Make it public at ${hub.url}/spaces/ada/blinky/settings, then publish again.`);
  }
  expect(writes()).toHaveLength(before);
  expect((await publish('blinky', '--yes', '--private')).text).toContain('ada/blinky is published, version 0.1.1');
}, 60_000);

test('create --publish that nobody can confirm, and options of a publication without one, create nothing', async () => {
  const hubArgs = ['--hub', hub.url, '--data-dir', join(folder, 'data')];
  expect(await assistantWith(TOKEN, 'create', 'blinky', '.', '--publish', ...hubArgs)).toMatchObject({
    code: 2,
    text: expect.stringContaining('give --yes'),
  });
  expect(await assistantWith('', 'create', 'blinky', '.', '--publish', '--yes', ...hubArgs)).toMatchObject({
    code: 1,
    text: expect.stringContaining('There is no token of the hub.'),
  });
  expect(await assistantWith(TOKEN, 'create', 'blinky', '.', '--public')).toMatchObject({
    code: 2,
    text: expect.stringContaining('--public is for a publication: give --publish too.'),
  });
  expect(await readdir(folder)).toEqual([]);
}, 60_000);

test('a folder without an app is refused before a token is needed, and its problem is printed once', async () => {
  for (const args of [[], ['--dry-run']]) {
    const { code, text } = await publishWith('', '.', ...args);
    expect(code).toBe(1);
    expect(text.match(/no-pyproject/g)).toHaveLength(1);
    expect(text).toContain('The app cannot be published as it is.');
    expect(text).not.toContain('token');
  }
  expect(hub.requests).toEqual([]);
}, 60_000);

test('a token that may only read is enough for a dry run, and an invalid one is named', async () => {
  hub.addToken('hf_reads', { name: 'ada', role: 'read' });
  await create('blinky');
  expect(await publishWith('hf_reads', 'blinky', '--dry-run')).toMatchObject({
    code: 0,
    out: expect.stringContaining('+ pyproject.toml'),
    text: expect.stringContaining('The token of ada may only read the hub'),
  });
  for (const token of ['hf_reads', 'hf_nobody']) {
    const { code, text } = await publishWith(token, 'blinky', '--yes');
    expect({ code, text }).toEqual({
      code: 1,
      text: expect.stringContaining('The token is that of the variable HF_TOKEN.'),
    });
  }
  expect(writes()).toEqual([]);
}, 60_000);

test('what becomes of the folder is stated once, also that a new version is not committed', async () => {
  await create('blinky');
  const app = join(folder, 'blinky');
  const first = await publish('blinky', '--yes');
  expect(first.text).toContain('The folder becomes a Git repository, with the Space as its remote "space".');
  await writeFile(join(app, 'note.md'), 'Mine.\n');
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  await execa('git', ['add', '.'], { cwd: app });
  await execa('git', [...author, 'commit', '-m', 'Mine'], { cwd: app });
  const second = await publish('blinky', '--yes');
  expect(second.text).not.toContain('becomes a Git repository');
  expect(second.text).toContain('The version in pyproject.toml becomes 0.1.1.');
  expect(second.text).toContain('The new version in pyproject.toml is not committed on your branch.');
}, 60_000);

test('the commands are named that solve a change made elsewhere, and a dry run says that it would be refused', async () => {
  await create('blinky');
  await publish('blinky', '--yes');
  const clone = join(folder, 'clone');
  const header = `http.extraHeader=Authorization: Basic ${Buffer.from(`ada:${TOKEN}`).toString('base64')}`;
  await execa('git', ['-c', header, 'clone', '--quiet', `${hub.url}/spaces/ada/blinky`, clone]);
  await appendFile(join(clone, 'README.md'), 'Theirs.\n');
  const author = ['-c', 'user.name=Eve', '-c', 'user.email=eve@example.org'];
  await execa('git', [...author, 'commit', '--quiet', '-am', 'Theirs'], { cwd: clone });
  await execa('git', ['-c', header, 'push', '--quiet', 'origin', 'HEAD:main'], { cwd: clone });

  await appendFile(join(folder, 'blinky', 'README.md'), 'Mine.\n');
  expect((await publish('blinky', '--dry-run')).out).toContain('publish refuses to overwrite them');
  const refused = await publish('blinky', '--yes');
  expect(refused.code).toBe(1);
  for (const part of ['git pull space main', '--overwrite']) expect(refused.text).toContain(part);
  expect(await publish('blinky', '--yes', '--overwrite')).toMatchObject({ code: 0 });
}, 60_000);

test('the warnings of the check are shown', async () => {
  await create('blinky');
  await rm(join(folder, 'blinky', 'index.html'));
  expect(await publish('blinky', '--yes')).toMatchObject({
    code: 0,
    text: expect.stringContaining('(no-landing-page)'),
  });
}, 60_000);
