import { expect, test, vi } from 'vitest';
import * as client from './daemon-client.ts';
import { DaemonError } from './daemon-error.ts';
import { addresses, deadlineOf } from './node/addresses.ts';

const createDaemonClient = (options: { readonly send: typeof fetch }) =>
  client.createDaemonClient({ addresses, deadlineOf, ...options });

const answering = (status: number, body: unknown) =>
  vi.fn<typeof fetch>(async () => new Response(typeof body === 'string' ? body : JSON.stringify(body), { status }));

async function refusalOf(call: Promise<unknown>): Promise<DaemonError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(DaemonError);
  return error as DaemonError;
}

test('an operation is sent to its path, with parameters encoded and the query appended', async () => {
  const send = answering(200, { lines: [] });
  const daemon = createDaemonClient({ send });
  await daemon.call('startApp', { params: { appName: 'a b/c' } });
  await daemon.call('getAppOutput', { query: { after: 7 } });
  await daemon.call('stopCurrentApp', { query: { force: true } });
  expect(send.mock.calls.map(([path, init]) => `${init?.method} ${path as string}`)).toEqual([
    'POST /api/apps/start-app/a%20b%2Fc',
    'GET /api/apps/output?after=7',
    'POST /api/apps/stop-current-app?force=true',
  ]);
});

test('a body is sent as JSON', async () => {
  const send = answering(202, { id: 'job' });
  await createDaemonClient({ send }).call('installApp', { body: { url: '/apps/wave' } });
  expect(send.mock.calls[0]?.[1]).toMatchObject({
    body: '{"url":"/apps/wave"}',
    headers: { 'content-type': 'application/json' },
  });
});

test('a refusal has the status, the sentence and the issues', async () => {
  const issues = [{ path: ['url'], message: 'not absolute' }];
  const daemon = createDaemonClient({ send: answering(400, { error: 'Give the whole path.', issues }) });
  expect(await refusalOf(daemon.call('installApp', { body: { url: 'x' } }))).toMatchObject({
    status: 400,
    message: 'Give the whole path.',
    issues,
  });
});

test('a refusal that is not JSON still gets a sentence', async () => {
  const daemon = createDaemonClient({ send: answering(502, '<html>') });
  expect(await refusalOf(daemon.call('listJobs'))).toMatchObject({
    status: 502,
    message: 'The daemon refused this without a reason (502).',
  });
});

test('a missing daemon is reported with our own sentence, not the browser’s', async () => {
  const daemon = createDaemonClient({ send: () => Promise.reject(new TypeError('Failed to fetch')) });
  expect(await refusalOf(daemon.call('listJobs'))).toMatchObject({
    status: null,
    message: 'The daemon did not answer. It may have been stopped.',
  });
});

const lost = () => Promise.reject(new TypeError('Failed to fetch'));

test('a request that was lost on its way is sent again once, if it only reads', async () => {
  const jobs = vi.fn<typeof fetch>(async () => Response.json([])).mockImplementationOnce(lost);
  expect(await createDaemonClient({ send: jobs }).call('listJobs')).toEqual([]);
  expect(jobs).toHaveBeenCalledTimes(2);

  const none = vi.fn<typeof fetch>(lost);
  await refusalOf(createDaemonClient({ send: none }).call('listJobs'));
  expect(none).toHaveBeenCalledTimes(2);

  const stop = vi.fn<typeof fetch>(lost);
  await refusalOf(createDaemonClient({ send: stop }).call('stopCurrentApp'));
  expect(stop).toHaveBeenCalledTimes(1);
});

test('a stop has no deadline, but can be abandoned', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  const waiting: typeof fetch = (_, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    });
  const daemon = createDaemonClient({ send: waiting });
  const abandon = new AbortController();
  const stop = refusalOf(daemon.call('stopCurrentApp', { signal: abandon.signal }));
  expect(timeout).not.toHaveBeenCalled();
  abandon.abort();
  expect((await stop).message).toBe('No longer waiting for the daemon.');

  timeout.mockReturnValueOnce(AbortSignal.abort(new DOMException('too long', 'TimeoutError')));
  const late = createDaemonClient({
    send: async (_, init) => {
      init?.signal?.throwIfAborted();
      return new Response('{}');
    },
  });
  expect((await refusalOf(late.call('listJobs'))).message).toBe('The daemon did not answer within 10 s. Try again.');
  expect(timeout).toHaveBeenCalledWith(10_000);
});
