/** Signing in by an address, signing out from elsewhere, and the protection of the session against other sites. */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page } from '@playwright/test';
import { lineMatching } from '../daemon/testing/daemon/line-matching.ts';
import { runCli, startCli } from '../daemon/testing/daemon/run-cli.ts';
import { NO_HUB, newDataDir } from '../daemon/testing/daemon/test-daemon.ts';
import { signIn } from './deploy-token.ts';
import { type Daemon, expect, openDashboard, test } from './fixtures.ts';

test.use({ daemonOptions: { name: 'sign-in' } });

/** Starts a daemon and reads the sign-in address that it prints. */
async function startAndRead(): Promise<{ address: string; stop: () => Promise<void> }> {
  const dataDir = await newDataDir();
  const daemon = startCli('--sim', '--no-wake-up-on-start', '--hub', NO_HUB, '--port', '0', '--data-dir', dataDir);
  const stop = async () => {
    daemon.process.kill('SIGINT');
    await daemon.ended;
    await rm(dataDir, { recursive: true, force: true });
  };
  const address = (await lineMatching(daemon.process.stdout, / at (http:\S+code=\S+)$/))?.[1];
  if (address) return { address, stop };
  throw new Error(`No address was printed: ${(await daemon.ended).text}`);
}

test('the printed address signs the browser in once, and pages of another host or port cannot use the session', {
  tag: '@smoke',
}, async ({ browser }) => {
  const { address, stop } = await startAndRead();
  const { origin } = new URL(address);
  const site = createServer((_request, response) => {
    response
      .setHeader('Content-Type', 'text/html')
      .end('<!doctype html><html lang="en"><title>Stranger</title></html>');
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  try {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(address);
    await expect(page).toHaveURL(`${origin}/#/`);
    const session = () => page.evaluate(async () => (await fetch('/api/session')).json());
    expect(await session()).toEqual({ signedIn: true, namespaces: null, namespace: 'local' });
    expect(await page.evaluate(() => document.cookie)).toBe('');

    const { port } = site.address() as AddressInfo;
    for (const name of ['127.0.0.1', 'evil.test']) {
      const strange = await context.newPage();
      await strange.goto(`http://${name}:${port}/`);
      const asked = await strange.evaluate(async (daemon) => {
        const ask = (method: string) =>
          fetch(`${daemon}/api/session`, { method, credentials: 'include' }).then(
            () => 'answered',
            () => 'refused',
          );
        return [await ask('GET'), await ask('DELETE')];
      }, origin);
      expect(asked).toEqual(['refused', 'refused']);
      expect(await session()).toMatchObject({ signedIn: true });
      await strange.close();
    }

    const other = await browser.newContext();
    const late = await other.newPage();
    await late.goto(address);
    expect(late.url()).toBe(`${origin}/#/settings?sign-in=failed`);
    await expect(late.getByRole('alert')).toContainText('This sign-in address no longer works.');
    await expect(late.getByText(/ sign-in --data-dir \S+$/)).toBeVisible();
    expect(await late.evaluate(async () => (await fetch('/api/session')).json())).toMatchObject({ signedIn: false });
    await Promise.all([context.close(), other.close()]);
  } finally {
    site.closeAllConnections();
    site.close();
    await stop();
  }
});

/** The address that the command prints. */
async function newAddress({ dataDir }: Daemon): Promise<string> {
  return (await runCli('sign-in', '--data-dir', dataDir)).out.trim();
}
const thisBrowser = (page: Page) => page.getByRole('region', { name: 'This browser' });
const signedIn = (page: Page) => page.getByRole('region', { name: 'Signed-in browsers' });
const isSignedIn = async (context: BrowserContext, daemon: Daemon) =>
  (await (await context.request.get(`${daemon.url}/api/session`)).json()).signedIn as boolean;

test('after signing in by an address, in this tab or another, the browser is back at its page with the search', async ({
  page,
  context,
  open,
  daemon,
}) => {
  const hash = '#/models?search=qwen&sort=name';
  await open(hash);
  await expect(page.getByRole('textbox', { name: 'Search models' })).toHaveValue('qwen');
  const other = await context.newPage();
  await other.goto(await newAddress(daemon));
  await expect(other).toHaveURL(`${daemon.url}/${hash}`);
  await expect(other.getByRole('textbox', { name: 'Search models' })).toHaveValue('qwen');
  await other.close();

  await context.clearCookies();
  await page.goto(await newAddress(daemon));
  await expect(page).toHaveURL(`${daemon.url}/${hash}`);
  expect(await isSignedIn(context, daemon)).toBe(true);
  await page.goBack();
  expect(page.url()).not.toContain('signed-in');
});

test('a browser stays signed in over a kill of the daemon, and a half-typed form of a deploy stays open', async ({
  page,
  context,
  open,
  daemon,
}) => {
  await signIn(page, daemon);
  const { models } = await daemon.call('listModels');
  const model = models.find(({ fit }) => fit.fits) ?? models[0];
  await open(`#/models/${model?.repoId}`);
  await page
    .getByRole('button', { name: /^Deploy / })
    .first()
    .click();
  const name = page.getByRole('dialog').getByRole('textbox', { name: 'Name' });
  await name.fill('half-typed');
  await daemon.kill();
  await expect(page.getByRole('region', { name: 'Connection' })).toBeVisible();
  await expect(name).toHaveValue('half-typed');
  await daemon.restart();
  await expect(page.getByRole('region', { name: 'Connection' })).toHaveCount(0);
  await expect(name).toHaveValue('half-typed');
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Deploy', exact: true })).toBeEnabled();
  expect(await isSignedIn(context, daemon)).toBe(true);
});

test('a browser that is signed out from another one knows it at once, and so does the own one', async ({
  page,
  browser,
  open,
  daemon,
}) => {
  await open('#/settings');
  await page.goto(await newAddress(daemon));
  const theirs = await browser.newContext();
  const other = await theirs.newPage();
  await other.goto(await newAddress(daemon));
  await openDashboard(other, daemon, '#/settings');
  await expect(thisBrowser(other)).toContainText('This browser is signed in');

  await page.reload();
  await expect(signedIn(page).getByRole('listitem').filter({ hasText: 'this browser' })).toHaveCount(1);
  const row = signedIn(page).getByRole('listitem').filter({ hasNotText: 'this browser' });
  // Others of this daemon's tests may be signed in too.
  const count = await row.count();
  await row.first().getByRole('button').click(); // last used first
  await expect(row).toHaveCount(count - 1);
  await expect(thisBrowser(other)).toContainText('This browser is not signed in');
  await expect(other.getByRole('region', { name: 'Connection' })).toHaveCount(0);
  expect(await isSignedIn(theirs, daemon)).toBe(false);

  await thisBrowser(page).getByRole('button', { name: 'End this session' }).click();
  await expect(thisBrowser(page)).toContainText('This browser is not signed in');
  await expect(page.getByRole('region', { name: 'Connection' })).toHaveCount(0);
  await theirs.close();
});
