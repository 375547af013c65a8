/** The command `robot-app-assistant` in its own process: what it creates, checks and publishes. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CheckReport, PublicationPreview } from '../../contract/apps/own-apps.ts';
import { runAssistant } from '../../testing/daemon/run-cli.ts';
import { robotAppAssistantProgram } from '../../testing/daemon/test-daemon.ts';
import { type FakeHub, startFakeHub } from '../../testing/fake-hub.ts';
import { inTerminal, type TerminalStep } from '../../testing/terminal/in-terminal.ts';

const TOKEN = 'hf_of_ada';
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'robot desktop assistant '));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Without the settings of this machine. */
const variables = (more: Readonly<Record<string, string>> = {}) => ({
  HOME: folder,
  GIT_CONFIG_NOSYSTEM: '1',
  HF_TOKEN: '',
  ROBOT_HUB_TOKEN: '',
  NO_COLOR: '1',
  npm_package_json: '', // that of the tests' own npm would change the commands that are printed
  ...more,
});
const dataDir = () => join(folder, 'data');
const assistant = (...args: string[]) => runAssistant(args, { cwd: folder, env: variables() });
const terminal = (args: readonly string[], steps: readonly TerminalStep[], env = {}) =>
  inTerminal([process.execPath, robotAppAssistantProgram, ...args], steps, { cwd: folder, env: variables(env) });

test('an app is created, and the next three commands are printed, which work as they are', {
  tags: ['smoke'],
}, async () => {
  const { code, out } = await assistant('create', 'My first app', '.');
  expect(code).toBe(0);
  expect(out).toContain(`my_first_app is created in ${join(folder, 'my_first_app')}, with the class MyFirstApp:\n`);
  expect(await readdir(join(folder, 'my_first_app'))).toEqual(
    expect.arrayContaining(['.gitignore', 'README.md', 'my_first_app', 'pyproject.toml', 'tests']),
  );
  const commands = [...out.matchAll(/^ {2}(\S*node .*(run|check|publish) my_first_app)$/gm)];
  expect(commands.map(([, , name]) => name)).toEqual(['run', 'check', 'publish']);
  const { exitCode } = await execa(`${commands[1]?.[1]} --no-build`, { shell: true, cwd: folder, env: variables() });
  expect(exitCode).toBe(0);

  const again = await assistant('create', 'my_first_app', '.');
  expect(again).toMatchObject({ code: 1, text: expect.stringContaining('my_first_app') });
  expect(again.text).not.toMatch(/\n\s+at /);
});

test('on a terminal it asks for what is missing, and proposes an answer', async () => {
  const { code, output } = await terminal(
    ['create'],
    [
      { wait: 'called\\? \\[my_app\\]', send: 'Blinky\r' },
      { wait: 'template\\? .*\\[default\\]', send: 'none\r' },
      { wait: 'Answer default or conversation', send: '' },
      { wait: 'template\\? .*\\[default\\]', send: '\r' },
      { wait: 'folder created\\? \\[\\.\\]', send: '\r' },
    ],
  );
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('blinky is created') });
  expect(await readdir(folder)).toContain('blinky');
});

test('Ctrl-C at a question ends it with code 130, and nothing is created', async () => {
  const { code } = await terminal(['create'], [{ wait: '\\[my_app\\]', send: '\u0003' }]);
  expect(code).toBe(130);
  expect(await readdir(folder)).toEqual([]);
});

test('without a terminal, what is missing is named with code 2', async () => {
  expect(await assistant('create')).toMatchObject({ code: 2, text: expect.stringContaining('create needs the name') });
  expect(await assistant('create', 'x')).toMatchObject({
    code: 2,
    text: expect.stringContaining('create needs the folder'),
  });
  for (const args of [
    ['check'],
    ['check', 'nowhere'],
    ['publish'],
    ['run'],
    ['chekc'],
    ['create', 'a', '.', '--private', '--public'],
  ])
    expect((await assistant(...args)).code, args.join(' ')).toBe(2);
  expect((await assistant('chekc')).text).toContain('Did you mean check?');
});

test('every command has a help text with examples and exit codes', async () => {
  for (const command of ['create', 'check', 'publish', 'run']) {
    const { code, out } = await assistant('help', command);
    expect(code, command).toBe(0);
    for (const part of [`Usage: robot-app-assistant ${command}`, '\nExamples:\n', '\nExit codes: 0'])
      expect(out, command).toContain(part);
  }
});

test('the files of an app are checked: a problem has its place, and its own exit code', async () => {
  await assistant('create', 'blinky', '.');
  const quick = (...args: string[]) => assistant('check', 'blinky', '--no-build', '--data-dir', dataDir(), ...args);
  expect(await quick()).toMatchObject({ code: 0, out: expect.stringContaining('nothing found') });
  const main = join(folder, 'blinky', 'blinky', 'main.py');
  await writeFile(main, `${await readFile(main, 'utf8')}\ndef (\n`);
  const found = await quick();
  expect(found.code).toBe(1);
  expect(found.out).toMatch(/blinky\/main\.py:\d+ +problem +syntax-error\n/);
  const report = JSON.parse((await quick('--json')).out) as CheckReport;
  expect(report.findings).toEqual([expect.objectContaining({ id: 'syntax-error', file: 'blinky/main.py' })]);
  expect(JSON.parse((await quick('--sarif')).out)).toMatchObject({ version: '2.1.0' });
  expect((await quick('--json', '--sarif')).code).toBe(2);
});

test('an app is built, installed and loaded by a check', async () => {
  await assistant('create', 'blinky', '.');
  const { code, out, text } = await assistant('check', 'blinky', '--data-dir', dataDir());
  expect({ code, out }).toEqual({
    code: 0,
    out: expect.stringContaining('nothing found (built, installed and loaded)'),
  });
  expect(text).toContain('Check the files…\nBuild and install it…\nLoad the app…\n');
}, 180_000);

async function hubWithAda(): Promise<FakeHub> {
  const hub = await startFakeHub();
  hub.addToken(TOKEN, { name: 'ada', role: 'write' });
  return hub;
}

test('an app is published after a yes: first what becomes public is shown, and the token is not', async () => {
  await using hub = await hubWithAda();
  await assistant('create', 'blinky', '.');
  const args = ['publish', 'blinky', '--hub', hub.url, '--data-dir', dataDir()];
  const token = { ROBOT_HUB_TOKEN: TOKEN };
  const no = await terminal(
    args,
    [
      { wait: 'Who may see the Space\\? .*\\[private\\]', send: 'public\r' },
      { wait: 'Publish\\? \\[y/N\\]', send: '\r' },
    ],
    token,
  );
  expect(no.code).toBe(1);
  for (const part of [
    'ada/blinky, a new one',
    'public: everybody sees it',
    '+ pyproject.toml',
    'Nothing is published.',
  ])
    expect(no.output).toContain(part);
  expect(hub.requests.filter(({ method }) => method !== 'GET')).toEqual([]);

  const yes = await terminal(
    args,
    [
      { wait: 'Who may see', send: '\r' },
      { wait: 'Publish\\?', send: 'y\r' },
    ],
    token,
  );
  expect(yes).toMatchObject({ code: 0, output: expect.stringContaining('ada/blinky is published, version 0.1.0: ') });
  expect(yes.output).not.toContain(TOKEN);
  const remote = await execa('git', ['remote', 'get-url', 'space'], { cwd: join(folder, 'blinky') });
  expect(remote.stdout).toContain('ada/blinky');
  expect(remote.stdout).not.toContain(TOKEN);

  const again = await runAssistant([...args, '--yes'], { cwd: folder, env: variables(token) });
  expect(again).toMatchObject({
    code: 0,
    text: expect.stringContaining('Nothing to publish: ada/blinky has the same files, version 0.1.0'),
  });
  expect(again.text).not.toContain('the Space…');
}, 60_000);

test('a dry run publishes nothing; --json is for programs', async () => {
  await using hub = await hubWithAda();
  await assistant('create', 'blinky', '.');
  const publish = (...args: string[]) =>
    runAssistant(['publish', 'blinky', '--hub', hub.url, '--data-dir', dataDir(), ...args], {
      cwd: folder,
      env: variables({ HF_TOKEN: TOKEN }),
    });
  const { code, out } = await publish('--dry-run', '--json');
  expect({ code, preview: JSON.parse(out) as PublicationPreview }).toEqual({
    code: 0,
    preview: expect.objectContaining({ account: 'ada', id: 'ada/blinky', exists: false, nextVersion: '0.1.0' }),
  });
  expect(await publish()).toMatchObject({ code: 2, text: expect.stringContaining('give --yes') });
  expect(hub.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  const published = await publish('--yes', '--public', '--json');
  expect(JSON.parse(published.out)).toMatchObject({ id: 'ada/blinky', private: false, version: '0.1.0' });
}, 60_000);

test('a token is asked for on a terminal and not shown; elsewhere, the way to get one is stated', async () => {
  await using hub = await hubWithAda();
  await assistant('create', 'blinky', '.');
  const args = ['publish', 'blinky', '--dry-run', '--hub', hub.url, '--data-dir', dataDir()];
  const typed = await terminal(args, [{ wait: 'Token of the hub', send: `${TOKEN}\r` }]);
  expect(typed).toMatchObject({ code: 0, output: expect.stringContaining('ada/blinky') });
  expect(typed.output).not.toContain(TOKEN);
  const none = await assistant(...args);
  expect(none).toMatchObject({ code: 0, text: expect.stringContaining('There is no token of the hub.') });
  expect(none.out).toContain('Files that would be published:\n    + ');
  expect(await assistant(...args.filter((arg) => arg !== '--dry-run'))).toMatchObject({
    code: 1,
    text: expect.stringContaining('set ROBOT_HUB_TOKEN or HF_TOKEN to it'),
  });
}, 60_000);

test('an app that a check finds at fault is not published, and the findings have their places', async () => {
  await using hub = await hubWithAda();
  await assistant('create', 'blinky', '.');
  await writeFile(join(folder, 'blinky', 'blinky', 'main.py'), 'def (\n');
  const args = ['publish', 'blinky', '--yes', '--hub', hub.url, '--data-dir', dataDir()];
  const refused = await runAssistant(args, { cwd: folder, env: variables({ HF_TOKEN: TOKEN }) });
  expect(refused).toMatchObject({ code: 1, text: expect.stringContaining('blinky/main.py:1: problem:') });
  expect(hub.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
}, 60_000);

test('create --publish creates an app and its Space', async () => {
  await using hub = await hubWithAda();
  await mkdir(join(folder, 'apps'));
  const args = [
    'create',
    'blinky',
    'apps',
    '--publish',
    '--yes',
    '--public',
    '--hub',
    hub.url,
    '--data-dir',
    dataDir(),
  ];
  const { code, out } = await runAssistant(args, { cwd: folder, env: variables({ HF_TOKEN: TOKEN }) });
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('ada/blinky is published') });
  const remote = await execa('git', ['remote', 'get-url', 'space'], { cwd: join(folder, 'apps', 'blinky') });
  expect(remote.stdout).toContain('ada/blinky');
}, 60_000);
