/** From an endpoint whose model file is broken to the bell, to the host's notification and to a mail. */
import { writeFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Notice, NotificationsStatus } from './contract/notifications/notifications.ts';
import type { DaemonOptions } from './daemon-options.ts';
import type { PushNotice } from './notifications/notifications.ts';
import { type CheckedDaemon, startCheckedDaemon } from './testing/daemon/checked-daemon.ts';
import { newDataDir } from './testing/daemon/test-daemon.ts';
import { endpointClient } from './testing/endpoints/endpoint-client.ts';
import { createOwnFileEndpoint } from './testing/endpoints/own-file-endpoint.ts';
import { startMailServer, type TestMailServer } from './testing/mail/mail-server-for-tests.ts';
import { writeTinyGguf } from './testing/models/tiny-gguf.ts';

const login = { user: 'ada', password: 'hunter2' };
const both = { email: true, push: true };

interface Started {
  readonly checked: CheckedDaemon;
  readonly pushed: PushNotice[];
  readonly dataDir: string;
  readonly mail: TestMailServer;
  readonly deploy: (name: string, modelPath: string, notifications: typeof both) => ReturnType<typeof clientOf>;
}

async function clientOf(checked: CheckedDaemon, name: string) {
  return endpointClient(checked.daemon.url, await checked.newToken(), name);
}

async function start(more: Partial<DaemonOptions> = {}): Promise<Started> {
  const dataDir = more.dataDir ?? (await newDataDir());
  const pushed: PushNotice[] = [];
  const checked = await startCheckedDaemon({
    dataDir,
    notifier: { show: (notice) => void pushed.push(notice) },
    ...more,
  });
  onTestFinished(() => rm(dataDir, { recursive: true, force: true })); // after the daemon has ended
  onTestFinished(() => checked[Symbol.asyncDispose]());
  const mail = await startMailServer({ login });
  onTestFinished(() => mail[Symbol.asyncDispose]());
  const deploy: Started['deploy'] = async (name, modelPath, notifications) => {
    const authorization = `Bearer ${await checked.newToken()}`;
    await createOwnFileEndpoint(checked.daemon.url, { authorization }, { name, modelPath, notifications });
    return clientOf(checked, name);
  };
  return { checked, pushed, dataDir, mail, deploy };
}

const settingsFor = ({ port }: TestMailServer) => ({
  ...{ host: '127.0.0.1', port, security: 'none', user: login.user },
  ...{ from: 'robot@example.org', to: 'ada@example.org' },
});

async function notices(checked: CheckedDaemon): Promise<Notice[]> {
  return (await checked.ask('GET', '/api/notifications')).body.notices;
}

async function bell({ daemon }: CheckedDaemon): Promise<NotificationsStatus> {
  const events = await fetch(`${daemon.url}/api/events`);
  let text = '';
  for await (const chunk of events.body as ReadableStream<Uint8Array>) {
    text += Buffer.from(chunk).toString();
    if (text.includes('\n\n')) break;
  }
  return JSON.parse(text.slice('data: '.length).split('\n\n')[0] as string).snapshot.notifications;
}

test('an endpoint with a broken model file is in the bell, in a notification and in a mail; a loop of failures does not flood', async () => {
  const { checked, pushed, dataDir, mail, deploy } = await start();
  const set = await checked.ask('PUT', '/api/mail', { body: { ...settingsFor(mail), password: login.password } });
  expect(set.body).toEqual({ mail: { ...settingsFor(mail), hasPassword: true } });
  const broken = join(dataDir, 'broken.gguf');
  writeFileSync(broken, 'GGUF, or so it says');
  const endpoint = await deploy('broken', broken, both);
  await expect(endpoint.until('running')).rejects.toThrow('is failed');
  const { status } = await endpoint.get();
  await vi.waitFor(() => expect(mail.mails).toHaveLength(1));

  const title = 'lab/broken failed.';
  const about = { kind: 'endpoint-failed', endpoint: { namespace: 'lab', name: 'broken' }, title };
  expect(pushed).toEqual([{ ...about, text: status.errorMessage }]);
  expect(await notices(checked)).toEqual([
    {
      ...{ ...about, id: expect.any(String), text: status.errorMessage, times: 1, seen: false },
      ...{ mailProblem: null, mailAgainAt: null },
      ...{ at: expect.any(String), firstAt: expect.any(String) },
    },
  ]);
  expect(mail.mails[0]).toMatchObject({ from: 'robot@example.org', to: ['ada@example.org'], user: 'ada' });
  expect(mail.mails[0]?.raw).toMatch(/^Subject: lab\/broken failed \(/m);
  expect(await bell(checked)).toMatchObject({ unseen: 1, newest: { title }, canMail: true });

  for (let time = 2; time <= 6; time += 1) {
    expect((await endpoint.command('resume')).status).toBe(200);
    await expect(endpoint.until('running')).rejects.toThrow('is failed');
    await vi.waitFor(async () => expect(await notices(checked)).toMatchObject([{ times: time }]));
  }
  expect([pushed.length, mail.mails.length]).toEqual([1, 1]);

  const { id } = (await notices(checked))[0] as Notice;
  await checked.ask('POST', `/api/notifications/${id}/seen`);
  expect(await bell(checked)).toMatchObject({ unseen: 0, newest: null });
  expect((await checked.ask('DELETE', '/api/notifications')).body).toEqual({ notices: [] });
});

test('running is reported once, not at each wake nor after a restart of the daemon', async () => {
  const first = await start();
  const { checked, pushed, dataDir, deploy } = first;
  const model = writeTinyGguf(join(dataDir, 'tiny.gguf'));
  const endpoint = await deploy('tiny', model, { email: false, push: true });
  await endpoint.until('running');
  const quiet = await deploy('quiet', model, { email: false, push: false });
  await quiet.until('running');
  await endpoint.command('scale-to-zero');
  await endpoint.chat();
  await endpoint.until('running');
  expect(pushed.map(({ title }) => title)).toEqual(['lab/tiny runs.']);
  expect((await notices(checked)).map(({ title }) => title)).toEqual(['lab/tiny runs.']);
  await checked[Symbol.asyncDispose]();

  const again = await start({ dataDir });
  const woken = await clientOf(again.checked, 'tiny');
  await woken.chat();
  await woken.until('running');
  expect(again.pushed).toEqual([]);
  expect((await notices(again.checked)).map(({ title, seen }) => [title, seen])).toEqual([['lab/tiny runs.', false]]);
});

test('a change of the notifications alone starts nothing again, and is no news', async () => {
  const { checked, pushed, dataDir, deploy } = await start();
  const endpoint = await deploy('tiny', writeTinyGguf(join(dataDir, 'tiny.gguf')), { email: false, push: false });
  await endpoint.until('running');
  const change = (notifications: object) => checked.ask('PUT', '/v2/endpoint/lab/tiny', { body: { notifications } });
  expect((await change(both)).body).toMatchObject({ notifications: both, status: { state: 'running' } });
  expect([pushed, await notices(checked)]).toEqual([[], []]);
  const broken = join(dataDir, 'broken.gguf');
  writeFileSync(broken, 'nothing');
  const failing = await deploy('broken', broken, { email: false, push: false });
  await expect(failing.until('running')).rejects.toThrow('is failed');
  await vi.waitFor(async () => expect(await notices(checked)).toMatchObject([{ title: 'lab/broken failed.' }]));
  expect(pushed).toEqual([]); // failures of every endpoint are in the bell, and only there
  const changed = await checked.ask('PUT', '/v2/endpoint/lab/broken', { body: { notifications: both } });
  expect(changed.body).toMatchObject({ status: { state: 'failed', errorMessage: expect.any(String) } });
  await vi.waitFor(() => expect(pushed).toMatchObject([{ title: 'lab/broken failed.' }]));
  expect(await notices(checked)).toMatchObject([{ times: 1 }]);
});

test('mail that nobody can send: the endpoint says so, and the bell at each entry', async () => {
  const { checked, dataDir, mail, deploy } = await start();
  const broken = join(dataDir, 'broken.gguf');
  writeFileSync(broken, 'nothing');
  const endpoint = await deploy('broken', broken, { email: true, push: false });
  await expect(endpoint.until('running')).rejects.toThrow('is failed');
  expect((await endpoint.get()).status.message).toMatch(/It sends no mail: no mail server is set up\.$/);
  expect((await endpoint.own()).report.unused).toEqual(['notifications.email']);
  await vi.waitFor(async () =>
    expect(await notices(checked)).toMatchObject([{ mailProblem: 'No mail server was set up.' }]),
  );
  await checked.ask('PUT', '/api/mail', { body: { ...settingsFor(mail), password: 'wrong' } });
  expect((await endpoint.get()).status.message).not.toContain('mail');
  await checked.ask('DELETE', '/api/notifications');
  await endpoint.command('resume');
  await vi.waitFor(async () =>
    expect(await notices(checked)).toMatchObject([
      { mailProblem: expect.stringMatching(/^127\.0\.0\.1 does not accept the user name ada with this password\./) },
    ]),
  );
});

test('the mail settings: the password is never given out nor logged, a test says what is wrong, then arrives', async () => {
  const logged = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
  onTestFinished(() => logged.mockRestore());
  const { checked, dataDir, mail } = await start({ logLevel: 'debug' });
  const ask: CheckedDaemon['ask'] = (...what) => checked.ask(...what);
  expect((await ask('GET', '/api/mail')).body).toEqual({ mail: null });
  expect((await ask('POST', '/api/mail/test')).body.error).toMatch(/^No mail server is set up\./);
  const wrong = 'not-the-password';
  await ask('PUT', '/api/mail', { body: { ...settingsFor(mail), password: wrong } });
  const refused = await ask('POST', '/api/mail/test');
  expect(refused).toMatchObject({
    status: 502,
    body: { error: expect.stringContaining('does not accept the user name') },
  });
  const elsewhere = await ask('PUT', '/api/mail', { body: { ...settingsFor(mail), port: 25 } });
  expect(elsewhere).toMatchObject({ status: 400, body: { issues: [{ path: ['password'] }] } });
  await ask('PUT', '/api/mail', { body: { ...settingsFor(mail), password: login.password } });
  expect(await ask('POST', '/api/mail/test')).toMatchObject({ status: 200, body: { to: 'ada@example.org' } });
  expect(mail.mails[0]?.raw).toContain('This is a test.');
  const shown = [JSON.stringify(logged.mock.calls), refused.text, (await ask('GET', '/api/mail')).text];
  shown.push(await readFile(join(dataDir, 'mail.json'), 'utf8'));
  for (const text of shown) for (const secret of [wrong, login.password]) expect(text).not.toContain(secret);
  await ask('DELETE', '/api/mail');
  expect((await ask('GET', '/api/mail')).body).toEqual({ mail: null });
});
