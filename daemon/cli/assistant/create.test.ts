import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NoHubToken } from '../../assistant/errors.ts';
import { dataPaths } from '../../shared/files/data-paths.ts';
import { projectDir } from '../../testing/daemon/test-daemon.ts';
import { atTerminal, captureOutput } from '../../testing/terminal/in-process.ts';
import { recordInstance, serveScripted } from '../../testing/terminal/scripted-daemon.ts';
import { BadArguments, Interrupted } from '../shared/errors.ts';
import { startedAs, terminalCommand } from '../terminal-commands.ts';
import { type CreateOptions, create } from './create.ts';
import type { Folders } from './environment.ts';

let folder: string;
let folders: Folders;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'robot-desktop-'));
  folders = { projectDir, paths: dataPaths(join(folder, 'data')) };
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
  for (const name of ['HF_TOKEN', 'ROBOT_HUB_TOKEN']) vi.stubEnv(name, '');
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

const createApp = (name?: string, destination?: string, options: Partial<CreateOptions> = {}) =>
  create(name, destination, { template: 'default', ...options }, folders);
const commandLine = (command: string, path: string) =>
  terminalCommand([command, path], startedAs(projectDir, folders.paths.root), 'robot-app-assistant');

/** The text about the app blinky, once it is there. @param path the one in the next commands */
async function textAboutBlinky(path: string): Promise<string> {
  const app = join(folder, 'blinky');
  const entries = await readdir(app, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(relative(app, entry.parentPath), entry.name));
  return `blinky is created in ${app}, with the class Blinky:
${files
  .sort()
  .map((file) => `  ${file}\n`)
  .join('')}Next:
  ${commandLine('run', path)}
      runs it, and restarts it when you change a file
  ${commandLine('check', path)}
      finds what is wrong before you publish
  ${commandLine('publish', path)}
      puts it on the hub, where the store finds it
`;
}

test('an app with a name and a place is created without a question; its files and the next commands are printed', async () => {
  const printed = captureOutput();
  await createApp('Blinky', '.');
  expect(printed).toMatchObject({ out: await textAboutBlinky('blinky'), err: '', code: 0 });
  expect(await readdir(folder)).toEqual(['blinky']);
});

test('the next commands name the whole path of an app that is elsewhere', async () => {
  vi.spyOn(process, 'cwd').mockReturnValue(join(folder, 'other'));
  const printed = captureOutput();
  await createApp('Blinky', folder);
  expect(printed.out).toBe(await textAboutBlinky(join(folder, 'blinky')));
});

test('at a terminal the name, the template and the place are asked for; an empty answer takes what is proposed', async () => {
  const terminal = atTerminal([
    { wait: 'called\\? \\[my_app\\] ', send: 'Blinky\r' },
    { wait: 'Which template\\? \\(default, conversation\\) \\[default\\] ', send: 'none\r' },
    { wait: 'Which template.* \\[default\\] ', send: '\r' },
    { wait: 'In which folder.* \\[\\.\\] ', send: '\r' },
  ]);
  await createApp();
  expect(terminal).toMatchObject({
    screen: `What is the app called? [my_app] Blinky
Which template? (default, conversation) [default] none
Answer default or conversation.
Which template? (default, conversation) [default] 
In which folder is its folder created? [.] 
${await textAboutBlinky('blinky')}`,
    code: 0,
  });
});

test('the answers at a terminal count: another template, another place', async () => {
  await mkdir(join(folder, 'apps'));
  const terminal = atTerminal([
    { wait: '\\[my_app\\] ', send: '\r' },
    { wait: '\\[conversation\\] ', send: '\r' },
    { wait: '\\[\\.\\] ', send: 'apps\r' },
  ]);
  await createApp(undefined, undefined, { template: 'conversation' });
  expect(terminal.screen).toContain(`my_app is created in ${join(folder, 'apps', 'my_app')}, with the class MyApp:\n`);
  expect(terminal.screen).toContain('my_app/persona.py');
});

test('a name that no app can have is asked for again until one can, with the last similar one proposed', async () => {
  const terminal = atTerminal([
    { wait: '\\[my_app\\] ', send: 'class\r' },
    { wait: '\\[Class app\\] ', send: '???\r' },
    { wait: '\\[Class app\\] ', send: '\r' },
    { wait: 'Which template', send: '\r' },
    { wait: 'In which folder', send: '\r' },
  ]);
  await createApp();
  expect(terminal.screen).toMatch(/it is a word of the Python language\. Try "Class app"\.\nWhat is the app called\?/);
  expect(terminal.screen).toContain('class_app is created in ');
  expect(await readdir(folder)).toEqual(['class_app']);
});

test('what is given is not asked for: of an app with a name only its place', async () => {
  const terminal = atTerminal([{ wait: '\\[\\.\\] ', send: '\r' }]);
  await createApp('Blinky');
  expect(terminal.screen).toBe(`In which folder is its folder created? [.] \n${await textAboutBlinky('blinky')}`);
});

test('Ctrl-C at a question ends the command, and nothing is created', async () => {
  atTerminal([{ wait: '\\[my_app\\] ', send: '\u0003' }]);
  await expect(createApp()).rejects.toThrow(Interrupted);
  expect(await readdir(folder)).toEqual([]);
});

test.each<[string, string | undefined, Partial<CreateOptions>]>([
  ['create needs the name of the app.', undefined, {}],
  ['create needs the folder to create it in.', 'Blinky', {}],
  ['--private is for a publication: give --publish too.', 'Blinky', { private: true }],
  ['--public is for a publication: give --publish too.', 'Blinky', { public: true }],
  ['--yes is for a publication: give --publish too.', 'Blinky', { yes: true }],
  ['--hub is for a publication: give --publish too.', 'Blinky', { hub: 'https://hub.example' }],
  [
    'create --publish asks before it publishes; without a terminal, give --yes.',
    'Blinky',
    { publish: true, private: true },
  ],
])('without a terminal it is refused: %s', async (sentence, name, options) => {
  captureOutput();
  await expect(createApp(name, undefined, options)).rejects.toEqual(new BadArguments(sentence));
  expect(await readdir(folder)).toEqual([]);
});

test('an app that cannot be published for want of a token is not created', async () => {
  captureOutput();
  const created = createApp('Blinky', '.', { publish: true, yes: true, hub: 'http://127.0.0.1:9' });
  await expect(created).rejects.toThrow(NoHubToken);
  expect(await readdir(folder)).toEqual([]);
});

test('a name that no app can have is refused, and so is a folder that is there', async () => {
  captureOutput();
  await expect(createApp('class', '.')).rejects.toThrow('it is a word of the Python language. Try "Class app".');
  await createApp('Blinky', '.');
  await expect(createApp('Blinky', '.')).rejects.toThrow('blinky exists already. Nothing was changed.');
});

test('a daemon that runs lists the new app', async () => {
  captureOutput();
  const { url, seen } = await serveScripted({});
  await mkdir(folders.paths.root);
  await recordInstance(folders.paths, { url });
  await createApp('Blinky', '.');
  expect(seen).toEqual([
    { call: 'POST /api/apps/own', authorization: undefined, body: { folder: join(folder, 'blinky') } },
  ]);
});
