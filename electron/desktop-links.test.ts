import { expect, test, vi } from 'vitest';
import { desktop, FakeDaemon, only, URL } from './testing/fake-desktop.ts';
import { FakeEvent } from './testing/fake-event.ts';

const PROGRAM = '/opt/robot-desktop/robot-desktop';
const linkTo = (address: string) => `robot-desktop://install?url=${encodeURIComponent(address)}`;
const LINK = linkTo('https://hub.example/spaces/ann/dance');
const DIALOG = `${URL}/#/apps?install=https%3A%2F%2Fhub.example%2Fspaces%2Fann%2Fdance&from=link`;
const REMOVE = 'robot-desktop://remove?app=dance';
const REFUSED = 'The link was not opened: Links can only name an app to install, and this one says something else.';

test('a link that starts the program opens the install dialog, with the address filled in', async () => {
  const { app, host } = await desktop([new FakeDaemon()], { argv: [PROGRAM, LINK, '--', '--port', '0'] });
  await app.run();
  expect(only(host).loaded).toEqual([DIALOG]);
});

test('a link that started the program is not opened again after a restart', async () => {
  const daemon = new FakeDaemon();
  daemon.stopped.resolve(true);
  const { app, host } = await desktop([daemon], { argv: [PROGRAM, LINK, '--', '--port', '0'] });
  await app.run();
  app.restart();
  await host.app.exited;
  expect(host.relaunched).toEqual(['--', '--port', '0']);
});

test('a link that is opened later comes to the window that is there, in front', async () => {
  const { app, host } = await desktop();
  await app.run();
  only(host).minimized = true;
  host.app.emit('second-instance', {}, [PROGRAM, LINK]);
  expect(only(host)).toMatchObject({ loaded: [`${URL}/#/`, DIALOG], minimized: false });
});

test('on macOS a link comes by an event, also before Electron is ready', async () => {
  const started = Promise.withResolvers<void>();
  const { app, host } = await desktop([new FakeDaemon(() => started.promise)], { platform: 'darwin' });
  const ran = app.run();
  const event = new FakeEvent();
  host.app.emit('open-url', event, LINK);
  expect(event.defaultPrevented).toBe(true);
  started.resolve();
  await ran;
  expect(only(host).loaded).toEqual([DIALOG]);
});

test('a link opens the window of a program that waits in the tray', async () => {
  const { app, host } = await desktop([new FakeDaemon()], { hasTrayHost: async () => true });
  await app.run();
  only(host).close();
  await vi.waitFor(() => expect(only(host).isDestroyed).toBe(true));
  host.app.emit('second-instance', {}, [PROGRAM, LINK]);
  expect(host.windows[1]?.loaded).toEqual([DIALOG]);
});

test.each([
  ['another action', [REMOVE], REFUSED],
  [
    'an address that is not https',
    [linkTo('file:///etc/passwd')],
    'The link was not opened: It must name an https address, without a password or encoded characters.',
  ],
  ['several links', [LINK, LINK], 'The link was not opened: Several links came at once. Open them one by one.'],
])('a link with %s is refused, and said why; the window stays as it is', async (_what, links, message) => {
  const { app, host } = await desktop();
  await app.run();
  host.app.emit('second-instance', {}, [PROGRAM, ...links]);
  expect(host.errors).toEqual([message]);
  expect(only(host)).toMatchObject({ loaded: [`${URL}/#/`], focused: 0 });
});

test('a hostile link that starts the program is said so, and the dashboard opens', async () => {
  const { app, host } = await desktop([new FakeDaemon()], { argv: [PROGRAM, REMOVE] });
  await app.run();
  expect(host.errors).toEqual([REFUSED]);
  expect(only(host).loaded).toEqual([`${URL}/#/`]);
});

test('a page that opens links without end gets one message at a time', async () => {
  const { app, host, clock } = await desktop();
  await app.run();
  const closed = Promise.withResolvers<void>();
  host.errorClosed = closed.promise;
  for (let time = 0; time < 20; time += 1) host.app.emit('second-instance', {}, [PROGRAM, REMOVE]);
  expect(host.errors).toHaveLength(1);
  closed.resolve();
  await clock.advance(0);
  host.app.emit('second-instance', {}, [PROGRAM, REMOVE]);
  expect(host.errors).toHaveLength(2);
});

test('once the program ends, a link opens nothing', async () => {
  const { app, host } = await desktop();
  await app.run();
  host.app.quit();
  host.app.emit('open-url', new FakeEvent(), LINK);
  host.app.emit('open-url', new FakeEvent(), REMOVE);
  expect(only(host).loaded).toEqual([`${URL}/#/`]);
  expect(host.errors).toEqual([]);
});
