import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import express from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dashboard } from './dashboard.ts';

let folder: string;
let server: Server;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dashboard-'));
  const assets = join(folder, 'assets');
  await mkdir(assets);
  await writeFile(join(assets, 'page.js'), 'as it is');
  await writeFile(join(assets, 'page.js.br'), brotliCompressSync('as it is'));
  await writeFile(join(assets, 'page.js.gz'), gzipSync('as it is'));
  await writeFile(join(assets, 'new.css'), 'not compressed');
  await writeFile(join(assets, 'font.woff2'), 'font');
  server = express().use(dashboard(folder)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

/** Unlike `fetch`, it leaves the body as it came. */
async function asked(file: string, encodings?: string, range?: string) {
  const { port } = server.address() as AddressInfo;
  const headers = {
    ...(encodings === undefined ? {} : { 'accept-encoding': encodings }),
    ...(range === undefined ? {} : { range }),
  };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: `/assets/${file}`, headers, agent: false }, resolve).on('error', reject);
  });
  const body = await text(response);
  const of = (name: string) => response.headers[name];
  return {
    ...{ status: response.statusCode, body, encoding: of('content-encoding'), type: of('content-type') },
    ...{ varies: of('vary'), cached: of('cache-control') },
  };
}

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, br;q=0.1', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['gzip', 'gzip'],
  ['identity', undefined],
  ['br;q=0, gzip;q=0', undefined],
  ['', undefined],
  [undefined, undefined],
])('a browser that accepts %j gets a script as %s', async (accepted, encoding) => {
  const { body, ...told } = await asked('page.js', accepted);
  expect(told).toEqual({
    ...{ status: 200, encoding, type: 'text/javascript; charset=utf-8' },
    ...{ varies: 'Accept-Encoding', cached: 'public, max-age=31536000, immutable' },
  });
  expect(body === 'as it is').toBe(encoding === undefined);
});

test('a file that was not compressed is sent as it is, and one that is not there is not found', async () => {
  expect(await asked('new.css', 'br')).toMatchObject({ status: 200, body: 'not compressed', encoding: undefined });
  expect(await asked('font.woff2', 'br')).toMatchObject({ status: 200, body: 'font', varies: undefined });
  expect(await asked('gone.js', 'br')).toMatchObject({ status: 404 });
  expect(await asked('page.js?v=1', 'br')).toMatchObject({ status: 200, encoding: 'br' });
  expect(await asked('..%2Fpage.js', 'br')).not.toMatchObject({ status: 200 });
});

test.each(['page.js', 'new.css'])('%s is sent as a whole, whatever range of it is asked for', async (file) => {
  for (const range of ['bytes=999-', 'bytes=0-1']) {
    expect(await asked(file, 'gzip', range)).toEqual(await asked(file, 'gzip'));
  }
});
