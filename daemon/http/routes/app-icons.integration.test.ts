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

test('an icon with a script is refused with a sentence, and its app has none', async () => {
  const { folder, read } = await ownApp('hostile');
  await writeFile(join(folder, 'icon.svg'), svgPicture('<script>alert(1)</script>'));
  const { id, icon } = await read();
  expect(icon).toBeNull();
  expect(await checked.ask('GET', `/api/apps/own/${id}/icon`)).toMatchObject({
    status: 404,
    body: { error: 'icon.svg has a script, so it is not shown.' },
  });
});

test('a page of another site gets no icon', async () => {
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };
  expect(await checked.ask('GET', '/api/apps/samples/hello_wave/icon', { headers })).toMatchObject({ status: 403 });
});
