/** The settings of the desktop program around a daemon, over real HTTP. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { watchEvents } from '../../client/node/watch-events.ts';
import type { DesktopStatus, UpdateStep } from '../../contract/desktop.ts';
import type { DaemonEvent } from '../../contract/events.ts';
import { EventBus } from '../../shared/async/event-bus.ts';
import type { DesktopHost } from '../../shared/desktop-host.ts';
import { Conflict } from '../../shared/domain-error.ts';
import { type CheckedDaemon, startCheckedDaemon } from '../../testing/daemon/checked-daemon.ts';
import { watchDaemon } from '../../testing/daemon/watch-daemon.ts';

class Refused extends Conflict {}

/** A desktop program that keeps what it is told. */
class FakeDesktop implements DesktopHost {
  status: DesktopStatus = {
    closing: 'ask',
    noTray: null,
    opensAtLogin: false,
    opensHidden: false,
    looksForUpdates: true,
    update: { state: 'none', lookedAt: null },
  };
  readonly steps: UpdateStep[] = [];
  readonly #changes = new EventBus<DesktopStatus>();
  onChange = (listener: () => void) => void this.#changes.subscribe(listener);
  change = async (changes: object) => {
    this.status = { ...this.status, ...changes };
    this.#changes.publish(this.status);
    return this.status;
  };
  update = (step: UpdateStep) => {
    if (step === 'install') throw new Refused('No newer version is downloaded.');
    this.steps.push(step);
    return this.status;
  };
}

const desktop = new FakeDesktop();
let checked: CheckedDaemon;
beforeAll(async () => {
  checked = await startCheckedDaemon({ desktop });
});
afterAll(() => checked?.[Symbol.asyncDispose]());

const change = (body: unknown, token?: string | null) =>
  checked.ask('PUT', '/api/desktop', { body, ...(token !== undefined && { token }) });
/** From the dashboard of this machine's own user. */
function update(body: unknown) {
  const { name, value } = checked.daemon.newSessionCookie();
  return checked.ask('POST', '/api/desktop/update', { body, token: null, headers: { cookie: `${name}=${value}` } });
}

test('its settings are part of the daemon’s status, and a change comes as an event', async () => {
  const events = watchDaemon(checked.daemon.url);
  expect((await events.next()).value).toMatchObject({ snapshot: { daemon: { desktop: desktop.status } } });
  expect(await change({ closing: 'keep-running' })).toMatchObject({ status: 200, body: { closing: 'keep-running' } });
  const changed = { ...desktop.status, closing: 'keep-running' };
  for await (const event of events) {
    if (event.type !== 'daemon.changed' || event.daemon.desktop?.closing === 'ask') continue; // Python was found
    expect(event.daemon.desktop).toEqual(changed);
    break;
  }
  expect((await checked.ask('GET', '/api/daemon/status')).body).toMatchObject({ desktop: changed });
});

test('a program in the process of the daemon, and one that asks for some types, gets the state and then the change', async () => {
  const direct: DaemonEvent[] = [];
  const end = checked.daemon.watch((event) => void direct.push(event));
  const events = watchEvents(checked.daemon.url, ['snapshot', 'daemon.changed'], new AbortController().signal);
  const first = { type: 'snapshot', snapshot: { daemon: { desktop: desktop.status } } };
  expect((await events.next()).value).toMatchObject(first);
  await change({ closing: 'quit' });
  const changed = { type: 'daemon.changed', daemon: { desktop: { ...desktop.status, closing: 'quit' } } };
  for await (const event of events) {
    if (event.type !== 'daemon.changed' || event.daemon.desktop?.closing !== 'quit') continue; // Python was found
    expect(event).toMatchObject(changed);
    break;
  }
  const isChange = (event: DaemonEvent) => event.type === 'daemon.changed' && event.daemon.desktop?.closing === 'quit';
  expect([direct[0], direct.find(isChange)]).toMatchObject([first, changed]);
  end();
  const { length } = direct;
  await change({ closing: 'ask' });
  expect(direct).toHaveLength(length);
});

test('they are changed by who may deploy everywhere, and by nobody else', async () => {
  const before = desktop.status;
  const some = await checked.newToken({ namespaces: ['lab'] });
  expect((await change({ opensAtLogin: true }, some)).status).toBe(403);
  expect((await change({ opensAtLogin: true }, null)).status).toBe(401);
  expect(desktop.status).toEqual(before);
});

test.each([[{ closing: 'explode' }], [{ opensAtLogin: 'yes' }], [{ program: '/bin/sh' }], [[]]])(
  'a change to %j is refused',
  async (body) => expect((await change(body)).status).toBe(400),
);

test('the steps of an update are passed on; one that does not suit its state is refused with the reason', async () => {
  for (const step of ['look', 'download', 'cancel']) expect((await update({ step })).status).toBe(200);
  expect(desktop.steps).toEqual(['look', 'download', 'cancel']);
  expect(await update({ step: 'install' })).toMatchObject({
    status: 409,
    body: { error: 'No newer version is downloaded.' },
  });
  expect((await update({ step: 'explode' })).status).toBe(400);
});

test('no token steps through an update: an install ends what runs', async () => {
  const before = [...desktop.steps];
  expect((await checked.ask('POST', '/api/desktop/update', { body: { step: 'look' } })).status).toBe(403);
  expect(desktop.steps).toEqual(before);
});
