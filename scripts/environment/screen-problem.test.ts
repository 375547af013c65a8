import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { screenProblem } from './screen-problem.ts';

/** A display that accepts connections. @param address of its socket @returns the port, if it has one */
async function display(address: string | number): Promise<number> {
  const server = createServer((socket) => socket.destroy());
  if (typeof address === 'number') server.listen(address, '127.0.0.1');
  else server.listen(address);
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
/** The number of an X display that nobody has. */
const unusedNumber = () => 100_000 + Math.floor(Math.random() * 1_000_000);

test('without a screen it says so', async () => {
  expect(await screenProblem({ DISPLAY: ':0', SSH_CONNECTION: '::1' })).toBe('there is no screen');
});

test.runIf(process.platform === 'linux')('an X display answers, at each kind of its addresses', async () => {
  const number = unusedNumber();
  await display(`\0/tmp/.X11-unix/X${number}`);
  const port = await display(0);
  for (const DISPLAY of [`:${number}`, `:${number}.0`, `unix:${number}`, `127.0.0.1:${port - 6_000}`]) {
    expect(await screenProblem({ DISPLAY }), DISPLAY).toBeNull();
  }
});

test.runIf(process.platform === 'linux')('a Wayland display answers, by its name or path', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'wayland-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const name = `w-${randomUUID()}`;
  await display(join(folder, name));
  expect(await screenProblem({ WAYLAND_DISPLAY: name, XDG_RUNTIME_DIR: folder })).toBeNull();
  expect(await screenProblem({ WAYLAND_DISPLAY: join(folder, name) })).toBeNull();
  // One that answers is enough: Electron takes that one.
  expect(await screenProblem({ WAYLAND_DISPLAY: join(folder, name), DISPLAY: `:${unusedNumber()}` })).toBeNull();
});

test.runIf(process.platform === 'linux').each([
  [{ DISPLAY: ':4711' }, ':4711'],
  [{ DISPLAY: '127.0.0.1:4711' }, '127.0.0.1:4711'],
  [{ DISPLAY: 'nonsense' }, 'nonsense'],
  [{ WAYLAND_DISPLAY: 'wayland-4711', XDG_RUNTIME_DIR: '/nowhere', DISPLAY: ':4711' }, 'wayland-4711'],
])('of %o it says that it does not answer', async (env, name) => {
  expect(await screenProblem(env)).toBe(`the screen ${name} does not answer`);
});
