/** Gives each Playwright worker copies of the apps with a page of their own, each with a free port: the sources name fixed ones. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixtureApp } from '../daemon/testing/daemon/test-daemon.ts';
import { freeAppPort } from '../daemon/testing/free-app-port.ts';
import { test as base } from './nothing-left.ts';

interface OwnPage {
  /** The folder to install the app from. */
  readonly folder: string;
  readonly port: number;
}

export interface OwnPages {
  readonly ownPage: OwnPage;
  /** The one that tries everything that leads out of its window. */
  readonly hostilePage: OwnPage;
}

export const test = base.extend<object, OwnPages>({
  ownPage: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here
    async ({}, use) => withCopy('own_page', 27_042, use),
    { scope: 'worker' },
  ],
  hostilePage: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here
    async ({}, use) => withCopy('hostile_page', 27_142, use),
    { scope: 'worker' },
  ],
});

/** @param sourcePort the port in the source */
async function withCopy(name: string, sourcePort: number, use: (page: OwnPage) => Promise<void>): Promise<void> {
  const parent = await mkdtemp(join(tmpdir(), 'robot-desktop-own-page-'));
  const folder = join(parent, name);
  const port = await freeAppPort();
  await cp(fixtureApp(name), folder, { recursive: true });
  const main = join(folder, name, 'main.py');
  await writeFile(main, (await readFile(main, 'utf8')).replace(`PORT = ${sourcePort}`, `PORT = ${port}`));
  await use({ folder, port });
  await rm(parent, { recursive: true });
}
