import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MailRequest } from '../../contract/notifications/mail-settings.ts';
import { createLogger } from '../../shared/logger.ts';
import { backwards } from '../../testing/models/some-endpoints.ts';
import { MailRecord } from './mail-record.ts';

const request: MailRequest = {
  ...{ host: 'mail.example.org', port: 587, security: 'starttls', user: 'ada', password: 'hunter2' },
  ...{ from: 'robot@example.org', to: 'ada@example.org' },
};
const { password: _, ...withoutPassword } = request;

async function someRecord() {
  const folder = await mkdtemp(join(tmpdir(), 'mail-record-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'mail.json');
  const create = () => new MailRecord({ file, secrets: backwards, log: createLogger('error', () => {}) });
  return { record: create(), create, file };
}

test('a server is kept with its password encrypted, which only the sender reads', async () => {
  const { record, create, file } = await someRecord();
  await record.load();
  expect(record.server).toBeNull();
  await expect(record.open()).rejects.toThrow('No mail server is set up.');
  await record.set(request);
  const shown = { ...withoutPassword, hasPassword: true };
  expect(record.server).toEqual(shown);
  expect(await readFile(file, 'utf8')).not.toContain('hunter2');
  const next = create();
  await next.load();
  expect(next.server).toEqual(shown);
  expect(await next.open()).toEqual(request);
  await next.remove();
  expect(next.server).toBeNull();
  await record.load();
  expect(record.server).toBeNull();
});

test('the saved password stays with its server, port, encryption and user, and goes nowhere else', async () => {
  const { record } = await someRecord();
  await expect(record.set(withoutPassword)).rejects.toMatchObject({
    issues: [{ path: ['password'], message: 'Enter the password of this user.' }],
  });
  await record.set(request);
  await record.set({ ...withoutPassword, from: 'other@example.org', to: 'bob@example.org' });
  expect(await record.open()).toMatchObject({ password: 'hunter2', to: 'bob@example.org' });
  for (const change of [{ host: 'evil.example' }, { port: 25 }, { security: 'none' as const }, { user: 'eve' }]) {
    await expect(record.set({ ...withoutPassword, ...change })).rejects.toMatchObject({
      issues: [{ path: ['password'] }],
    });
  }
  expect(await record.open()).toMatchObject({ host: 'mail.example.org', password: 'hunter2' });
  await record.set({ ...withoutPassword, user: null });
  expect(record.server).toMatchObject({ user: null, hasPassword: false });
  await expect(record.set({ ...request, user: null })).rejects.toMatchObject({ issues: [{ path: ['user'] }] });
});

test('a damaged file is set aside', async () => {
  const { record, file } = await someRecord();
  await writeFile(file, '{"host":1}');
  await record.load();
  expect(record.server).toBeNull();
});

test.each([
  [{ host: 'https://mail.example.org' }, 'host'],
  [{ host: 'mail.example.org:587' }, 'host'],
  [{ host: '' }, 'host'],
  [{ host: 'a..b' }, 'host'],
  [{ port: 0 }, 'port'],
  [{ port: 70_000 }, 'port'],
  [{ user: 'a\r\nb' }, 'user'],
  [{ password: 'a\u0000b' }, 'password'],
  [{ from: 'robot' }, 'from'],
  [{ to: 'ada@example.org\r\nBcc: eve@example.org' }, 'to'],
  [{ to: 'ada@example.org, eve@example.org' }, 'to'],
])('%j is refused', (change, field) => {
  expect(MailRequest.safeParse({ ...request, ...change }).error?.issues.map(({ path }) => path[0])).toEqual([field]);
});

test.each(['localhost', '192.168.1.10', '::1', 'mail', 'mx-1.example.org', 'bücher.example', ' mail.example.org '])(
  'the server may be %s',
  (host) => expect(MailRequest.parse({ ...request, host }).host).toBe(host.trim()),
);
