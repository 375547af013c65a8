/** The dialogs of the system that the menu and the page open. */
import { expect, test, vi } from 'vitest';
import { desktop, FakeDaemon, only, URL } from './testing/fake-desktop.ts';

test('the page cannot open the program again without its user', async () => {
  const { app, host } = await desktop();
  await app.run();
  host.pressed = 1;
  expect(only(host).webContents.opens(`${URL}/open-again`)).toBe(false);
  await vi.waitFor(() => expect(host.questions.map(({ message }) => message)).toEqual(['Open Robot Desktop again?']));
  await new Promise(setImmediate);
  expect(only(host).title).not.toContain('stopping');
});

test('the page opens a browser that is signed in', async () => {
  const { app, host } = await desktop();
  await app.run();
  expect(only(host).webContents.opens(`${URL}/open-in-browser`)).toBe(false);
  await vi.waitFor(() => expect(host.outside).toEqual([`${URL}/sign-in?code=once`]));
  expect(only(host).webContents.opens(`${URL}/open-in-browser/other`)).toBe(false);
  expect(host.outside).toHaveLength(1);
});

test('the menu installs a folder that is chosen in a dialog, after the page has asked', async () => {
  const { app, host } = await desktop();
  await app.run();
  host.choose('Install from a Folder…');
  host.chosenFolder = '/home/ann/my app';
  host.choose('Install from a Folder…');
  await vi.waitFor(() => expect(only(host).loaded.at(-1)).toMatch(/#\/apps\?install=%2Fhome%2Fann%2Fmy\+app$/));
  expect(only(host).loaded).toHaveLength(2);
});

test('the menu and the page ask for a model file in a dialog, and the page gets its path', async () => {
  const { app, host } = await desktop();
  await app.run();
  const { webContents, loaded } = only(host);
  host.choose('Use a Model File…');
  host.chosenFile = '/models/a b.gguf';
  host.choose('Use a Model File…');
  await vi.waitFor(() => expect(loaded.at(-1)).toMatch(/#\/models\?tab=machine&file=%2Fmodels%2Fa\+b\.gguf$/));
  expect(loaded).toHaveLength(2);
  host.chosenFile = '/models/c.gguf';
  expect(webContents.opens(`${URL}/choose-model-file`)).toBe(false);
  await vi.waitFor(() => expect(loaded.at(-1)).toMatch(/file=%2Fmodels%2Fc\.gguf$/));
  expect(webContents.opens(`${URL}/choose-model-file/other`)).toBe(false);
  expect(loaded).toHaveLength(3);
});

test('the page asks for folders in a dialog: for a new app, and of an app to add to the list', async () => {
  const { app, host } = await desktop();
  await app.run();
  const { webContents, loaded } = only(host);
  expect(webContents.opens(`${URL}/choose-own-app`)).toBe(false);
  host.chosenFolder = '/home/ann/my apps';
  expect(webContents.opens(`${URL}/choose-folder-for-new-app`)).toBe(false);
  await vi.waitFor(() => expect(loaded.at(-1)).toMatch(/#\/apps\?tab=create&new=%2Fhome%2Fann%2Fmy\+apps$/));
  expect(loaded).toHaveLength(2);
  expect(webContents.opens(`${URL}/choose-own-app`)).toBe(false);
  await vi.waitFor(() => expect(loaded.at(-1)).toMatch(/#\/apps\?tab=create&add=%2Fhome%2Fann%2Fmy\+apps$/));
  expect(webContents.opens(`${URL}/choose-own-app/other`)).toBe(false);
  expect(loaded).toHaveLength(3);
});

test('the page asks to quit in a dialog, and its user decides', async () => {
  const daemon = new FakeDaemon();
  const { app, host } = await desktop([daemon]);
  await app.run();
  const { webContents } = only(host);
  host.pressed = 1;
  expect(webContents.opens(`${URL}/quit`)).toBe(false);
  await vi.waitFor(() => expect(host.questions.map(({ message }) => message)).toEqual(['Quit Robot Desktop?']));
  await new Promise(setImmediate);
  expect(only(host).title).not.toContain('stopping');
  host.pressed = 0;
  expect(webContents.opens(`${URL}/quit`)).toBe(false);
  await daemon.stopAsked.promise;
  daemon.stopped.resolve(true);
  expect(await host.app.exited).toBe(0);
});

test('the menu begins a new app', async () => {
  const { app, host } = await desktop();
  await app.run();
  host.choose('New App…');
  expect(only(host).loaded.at(-1)).toBe(`${URL}/#/apps?tab=create&new=`);
});

test('the menu opens pages, and the dashboard in a browser that is signed in', async () => {
  const { app, host, dataDir } = await desktop();
  await app.run();
  host.choose('Robot');
  host.choose('Open in Browser');
  host.choose('Show the Data Folder');
  expect(only(host).loaded).toEqual([`${URL}/#/`, `${URL}/#/robot`]);
  await vi.waitFor(() => expect(host.outside).toEqual([dataDir, `${URL}/sign-in?code=once`]));
});
