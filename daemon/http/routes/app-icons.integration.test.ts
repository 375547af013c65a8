/** Icons over real HTTP: the pictures of samples and of own apps, and what is refused. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SampleApp } from '../../contract/apps/apps.ts';
import type { OwnApp } from '../../contract/apps/own-apps.ts';
import { writeAppPackage } from '../../testing/apps/app-packages.ts';
import { pngPicture, svgPicture } from '../../testing/apps/pictures.ts';
import { type CheckedDaemon, startCheckedDaemon } from '../../testing/daemon/checked-daemon.ts';
import { ownConnection } from '../../testing/daemon/raw-requests.ts';
import { movableClock } from '../../testing/movable-clock.ts';

let top: string;
let checked: CheckedDaemon;
beforeAll(async () => {
  top = await mkdtemp(join(tmpdir(), 'app-icons-'));
  checked = await startCheckedDaemon({ clock: movableClock() });
});
afterAll(async () => {
  await checked?.[Symbol.asyncDispose]();
  await rm(top, { recursive: true, force: true });
});

/** Gets a picture as a browser does. */
async function picture(address: string) {
  const response = await fetch(checked.daemon.url + address, { headers: ownConnection });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

async function ownApp(name: string): Promise<{ folder: string; read: () => Promise<OwnApp> }> {
  const folder = await writeAppPackage(join(top, name), { name });
  const { body: added } = await checked.ask('POST', '/api/apps/own', { body: { folder } });
  const read = async (): Promise<OwnApp> => {
    const { body } = await checked.ask('GET', '/api/apps/own');
    return body.apps.find(({ id }: OwnApp) => id === added.id);
  };
  return { folder, read };
}

test('each sample has an icon, which no page can do more with than show it', async () => {
  const samples: SampleApp[] = (await checked.ask('GET', '/api/apps/samples')).body;
  expect(samples.length).toBeGreaterThan(0);
  for (const { name, icon } of samples) {
    const { response, bytes } = await picture(icon ?? '');
    const { status, headers } = response;
    expect({ name, status, text: bytes.toString().slice(0, 5) }).toEqual({ name, status: 200, text: '<svg ' });
    expect(headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'; style-src 'unsafe-inline'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
  }
});

test('an own app has the icon of its folder as it is now', async () => {
  const { folder, read } = await ownApp('painter');
  expect(await read()).toMatchObject({ icon: null });
  await writeFile(join(folder, 'icon.png'), pngPicture());
  const { icon } = await read();
  const { response, bytes } = await picture(icon ?? '');
  expect([response.status, response.headers.get('content-type'), bytes]).toEqual([200, 'image/png', pngPicture()]);
  await writeFile(join(folder, 'icon.svg'), svgPicture());
  expect((await read()).icon).not.toBe(icon);
});

test.each<[what: string, file: string, content: string | Buffer, problem: string]>([
  ['a script', 'icon.svg', svgPicture('<script>alert(1)</script>'), 'icon.svg has a script, so it is not shown.'],
  ['a handler', 'icon.svg', svgPicture('<g onload="alert(1)"/>'), 'icon.svg has a script, so it is not shown.'],
  [
    'a page in it',
    'icon.svg',
    svgPicture('<foreignObject><iframe src="https://evil.example/"/></foreignObject>'),
    'icon.svg has an element <foreignObject>, which is no plain shape, so it is not shown.',
  ],
  [
    'a reference to another site',
    'icon.svg',
    svgPicture('<g fill="url(https://evil.example/#a)"/>'),
    'icon.svg refers to something outside of it, so it is not shown.',
  ],
  [
    'entities that multiply',
    'icon.svg',
    `<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${svgPicture('<desc>&b;</desc>')}`,
    'icon.svg declares entities, so it is not shown.',
  ],
  [
    '50,000 × 50,000 pixels',
    'icon.png',
    pngPicture({ width: 50_000, height: 50_000 }),
    'icon.png has 50000 × 50000 pixels, more than 1024 × 1024, so it is not shown.',
  ],
  ['an animation', 'icon.png', pngPicture({ chunks: ['acTL'] }), 'icon.png is animated, so it is not shown.'],
  [
    'a page in its place',
    'icon.png',
    '<!doctype html><script>alert(1)</script>',
    'icon.png is neither an SVG nor a PNG picture, so it is not shown.',
  ],
  [
    'more than 256 KB',
    'icon.svg',
    svgPicture(' '.repeat(300_000)),
    'icon.svg is larger than 256 KB, so it is not shown.',
  ],
])('an icon with %s is refused with a sentence, and its app has none', async (_what, file, content, problem) => {
  const { folder, read } = await ownApp('hostile');
  for (const earlier of ['icon.svg', 'icon.png']) await rm(join(folder, earlier), { force: true });
  await writeFile(join(folder, file), content);
  const { id, icon } = await read();
  expect(icon).toBeNull();
  expect(await checked.ask('GET', `/api/apps/own/${id}/icon`)).toMatchObject({ status: 404, body: { error: problem } });
});

test('a page of another site gets no icon', async () => {
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };
  expect(await checked.ask('GET', '/api/apps/samples/hello_wave/icon', { headers })).toMatchObject({ status: 403 });
});
