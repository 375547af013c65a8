import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { askDaemon, daemonAt } from './daemon-at.ts';
import { endOfJob } from './install.ts';

async function serverWith(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const answering = (reply: unknown) => serverWith((_request, response) => response.end(JSON.stringify(reply)));

const job = {
  ...{ id: 'one', kind: 'install-app', subject: '/wave', appName: null, state: 'running', steps: [], detail: null },
  ...{
    cancelling: false,
    failure: null,
    createdAt: '2026-11-22T08:00:00Z',
    startedAt: null,
    endedAt: null,
    logTail: [],
  },
} as const;

test('a reply is parsed: it has the defaults of the contract, and no other keys', async () => {
  const daemon = daemonAt(await answering({ ...job, unknown: 1 }));
  expect(await daemon.call('getJob', { params: { jobId: 'one' } })).toEqual({ ...job, transfer: null });
});

test('a relayed reply is accepted by the looser schema', async () => {
  const endpoint = { name: 'poet', type: 'public', provider: {}, compute: {}, model: {}, madeBy: 'another service' };
  const daemon = daemonAt(await answering({ endpoint }));
  const input = { params: { recipePublicId: 'poet--cpu' }, body: { namespace: 'local' } };
  expect(await daemon.call('deployCatalogRecipe', input)).toEqual({ endpoint });
});

test('an invalid reply is refused with the operation and the issue', async () => {
  const daemon = daemonAt(await answering([{ ...job, state: 'resting' }]));
  await expect(daemon.call('listJobs')).rejects.toMatchObject({
    name: 'DaemonError',
    status: 200,
    message: expect.stringMatching(/^The daemon's reply to listJobs is not valid \(0\.state: .+\)\. It may be/),
  });
});

test('a redirect is not followed', async () => {
  const other = await answering([]);
  const url = await serverWith((request, response) => response.writeHead(307, { location: other + request.url }).end());
  await expect(daemonAt(url).call('listJobs')).rejects.toMatchObject({ name: 'DaemonError', status: null });
});

test('a deadline of the caller replaces the default one', async () => {
  const daemon = daemonAt(await serverWith(() => {}), { deadlineMs: 50 });
  await expect(daemon.call('stopCurrentApp')).rejects.toThrow('The daemon did not answer within 0.05 s. Try again.');
});

test('another program at an address is not a daemon', async () => {
  expect(await askDaemon(await answering({ pid: 'none' }))).toBeNull();
  expect(await askDaemon('http://127.0.0.1:9')).toBeNull();
});

test('endOfJob waits for the end of a job, up to the given limit', async () => {
  let looks = 0;
  const url = await serverWith((_request, response) => {
    looks += 1;
    response.end(JSON.stringify(looks < 3 ? job : { ...job, state: 'done', endedAt: '2026-11-22T08:00:01Z' }));
  });
  expect(await endOfJob(daemonAt(url), 'one', { pollMs: 1 })).toMatchObject({ state: 'done' });
  expect(looks).toBe(3);
  looks = -1_000_000;
  expect(await endOfJob(daemonAt(url), 'one', { pollMs: 1, withinMs: 0 })).toMatchObject({ state: 'running' });
});
