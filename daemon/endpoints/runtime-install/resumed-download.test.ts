import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../shared/clock.ts';
import { manualClock } from '../../testing/manual-clock.ts';
import { type Download, downloadFile } from './resumed-download.ts';

const content = Buffer.alloc(200_000, 'llama');
const sha256 = createHash('sha256').update(content).digest('hex');

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Answers ranges as a file server does. */
const whole: Answer = (request, response) => {
  const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  if (start >= content.length) return void response.writeHead(416).end();
  const headers = { 'content-length': content.length - start, 'content-range': `bytes ${start}-/${content.length}` };
  response.writeHead(start > 0 ? 206 : 200, headers).end(content.subarray(start));
};

async function setup(answers: readonly Answer[], more: Partial<Download> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'download-'));
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const answer = answers[asked.length] ?? whole;
    asked.push(request.headers.range);
    void answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  });
  const file = join(folder, 'part');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.tar.gz`;
  const progress: [number, number | null][] = [];
  const onBytes = (done: number, total: number | null) => void progress.push([done, total]);
  const { signal } = new AbortController();
  const download = () =>
    downloadFile({ url, sha256, file, maxBytes: 1e6, clock: systemClock, signal, onBytes, ...more });
  return { file, asked, progress, download };
}

/** Sends the beginning, and calls back once it is in the file. */
const beginning =
  (file: () => string, then: (response: ServerResponse) => void): Answer =>
  async (_, response) => {
    response.writeHead(200, { 'content-length': content.length });
    response.write(content.subarray(0, 50_000));
    await vi.waitFor(async () => expect((await stat(file())).size).toBe(50_000), { interval: 5 });
    then(response);
  };

test('a file arrives whole, with its progress', async () => {
  const { file, progress, download } = await setup([]);
  await download();
  expect((await readFile(file)).equals(content)).toBe(true);
  expect([progress[0], progress.at(-1)]).toEqual([
    [0, content.length],
    [content.length, content.length],
  ]);
});

test('a connection that breaks off is taken up where it ended', async () => {
  const brokenOff = Promise.withResolvers<void>();
  const broken = beginning(
    () => file,
    (response) => {
      response.destroy();
      brokenOff.resolve();
    },
  );
  const clock = manualClock();
  const { file, asked, download } = await setup([broken], { clock });
  const downloaded = download();
  await brokenOff.promise;
  const retry = async () => {
    await clock.advance(1_000);
    return asked.length;
  };
  await expect.poll(retry).toBe(2);
  await downloaded;
  expect((await readFile(file)).equals(content)).toBe(true);
  expect(asked).toEqual([undefined, 'bytes=50000-']);
});

test('the part of an earlier daemon is continued; one that is complete is only checked', async () => {
  const { file, asked, progress, download } = await setup([]);
  await writeFile(file, content.subarray(0, 150_000));
  await download();
  expect(progress[0]).toEqual([150_000, content.length]);
  await download();
  expect(asked).toEqual(['bytes=150000-', 'bytes=200000-']);
  expect((await readFile(file)).equals(content)).toBe(true);
});

test('a server that knows no ranges sends all again', async () => {
  const { file, download } = await setup([(_, response) => response.writeHead(200).end(content)]);
  await writeFile(file, content.subarray(0, 150_000));
  await download();
  expect((await readFile(file)).equals(content)).toBe(true);
});

test('another content is refused and removed', async () => {
  const { file, download } = await setup([(_, response) => response.end('evil')]);
  await expect(download()).rejects.toMatchObject({ kind: 'checksum' });
  await expect(readFile(file)).rejects.toThrow('ENOENT');
});

test.each<[string, Answer, Partial<Download>, string]>([
  ['nothing there', (_, response) => response.writeHead(404).end(), {}, 'not-found'],
  ['refused', (_, response) => response.writeHead(403).end(), {}, 'network'],
  ['more than allowed', whole, { maxBytes: 1000 }, 'checksum'],
  [
    'a redirect into this machine by another origin',
    (_, r) => r.writeHead(302, { location: 'http://localhost:1/' }).end(),
    {},
    '',
  ],
])('%s: a failure of its kind', async (_what, answer, more, kind) => {
  const { download } = await setup([answer], more);
  const error = await download().then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject(kind === '' ? { name: 'AddressRefused' } : { kind });
});

test('a cancel ends it, and keeps the part', async () => {
  const cancelled = new AbortController();
  const slow = beginning(
    () => file,
    () => cancelled.abort(new Error('cancelled')),
  );
  const { file, download } = await setup([slow], { signal: cancelled.signal });
  await expect(download()).rejects.toThrow('cancelled');
  expect((await readFile(file)).length).toBe(50_000);
});
