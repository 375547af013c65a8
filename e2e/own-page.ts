/** Gives each Playwright worker a copy of own_page with its own port, since the source names a fixed port. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from '@playwright/test';
import { fixtureApp } from '../daemon/testing/daemon/test-daemon.ts';

/** The port in the source. */
const PORT = 27042;

export interface OwnPage {
  /** The folder to install the app from. */
  readonly folder: string;
  readonly port: number;
}

export const test = base.extend<object, { ownPage: OwnPage }>({
  ownPage: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern here
    async ({}, use, { parallelIndex }) => {
      const parent = await mkdtemp(join(tmpdir(), 'robot-desktop-own-page-'));
      const folder = join(parent, 'own_page');
      const port = PORT + parallelIndex;
      await cp(fixtureApp('own_page'), folder, { recursive: true });
      const main = join(folder, 'own_page', 'main.py');
      await writeFile(main, (await readFile(main, 'utf8')).replace(`PORT = ${PORT}`, `PORT = ${port}`));
      await use({ folder, port });
      await rm(parent, { recursive: true });
    },
    { scope: 'worker' },
  ],
});
