/** Signing in by an address, signing out from elsewhere, and pages of other sites, which read and change nothing. */
import type { BrowserContext, Page } from '@playwright/test';
import { runCli } from '../daemon/testing/daemon/run-cli.ts';
import { expectAccessible } from './accessible.ts';
import { signIn } from './deploy-token.ts';
import { type Daemon, expect, fixtureApp, openDashboard } from './fixtures.ts';
import { attacks, test } from './other-sites.ts';

test.use({ daemonOptions: { name: 'sign-in' } });

/** The address that the command prints. */
async function newAddress({ dataDir }: Daemon): Promise<string> {
  return (await runCli('sign-in', '--data-dir', dataDir)).out.trim();
}
/** Signs a browser in by a new address, and opens its settings. */
async function openSettingsSignedIn(page: Page, daemon: Daemon): Promise<void> {
  await page.goto(await newAddress(daemon));
  await openDashboard(page, daemon, '#/settings');
}
const isSignedIn = async (context: BrowserContext, daemon: Daemon) =>
  (await (await context.request.get(`${daemon.url}/api/session`)).json()).signedIn as boolean;

test('an address signs the browser in once, with a cookie that no page can read', {
  tag: '@smoke',
}, async ({ browser, daemon }) => {
  const address = await newAddress(daemon);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address);
  await expect(page).toHaveURL(`${daemon.url}/#/`);
  expect(await page.evaluate(async () => (await fetch('/api/session')).json())).toEqual({
    ...{ signedIn: true, namespaces: null, namespace: 'local', isOwnUser: true },
  });
  expect(await page.evaluate(() => document.cookie)).toBe('');

  const other = await browser.newContext();
  const late = await other.newPage();
  await late.goto(address);
  expect(late.url()).toBe(`${daemon.url}/#/settings?sign-in=failed`);
  await expect(late.getByRole('alert')).toContainText('This sign-in address no longer works.');
  await expect(late.getByLabel('Code or token of the daemon')).toBeVisible();
  expect(await isSignedIn(other, daemon)).toBe(false);
  await Promise.all([context.close(), other.close()]);
});

test('a signed-in browser lets another one in with a code, which is typed there, once', async ({
  page,
  browser,
  daemon,
}) => {
  await openSettingsSignedIn(page, daemon);
  const letIn = page.getByRole('region', { name: 'Let another browser in' });
  await letIn.getByRole('button', { name: 'Show a code' }).click();
  const code = (await letIn.locator('strong').textContent()) ?? '';
  expect(code).toMatch(/^\w{4}-\w{4}-\w{4}$/);
  await expectAccessible(page, 'settings-code');

  const theirs = await browser.newContext();
  const other = await theirs.newPage();
  await openDashboard(other, daemon, '#/settings');
  const field = other.getByLabel('Code or token of the daemon');
  await field.fill('aaaa-bbbb-cccc');
  await field.press('Enter');
  await expect(other.getByRole('alert')).toContainText('This code is unknown');
  await field.fill(code.toLowerCase().replaceAll('-', ' '));
  await field.press('Enter');
  await expect(thisBrowser(other)).toContainText('This browser is signed in');
  expect(await isSignedIn(theirs, daemon)).toBe(true);

  const late = await browser.newContext();
  const third = await late.newPage();
  await openDashboard(third, daemon, '#/settings');
  await third.getByLabel('Code or token of the daemon').fill(code);
  await third.getByRole('button', { name: 'Sign this browser in' }).click();
  await expect(third.getByRole('alert')).toContainText('This code is unknown, was used, or has expired.');
  await Promise.all([theirs.close(), late.close()]);
});

test('tokens are made, shown once, listed and revoked in the settings, with the sessions that they opened', async ({
  page,
  browser,
  daemon,
}) => {
  await openSettingsSignedIn(page, daemon);
  const tokens = page.getByRole('region', { name: 'Tokens' });
  await tokens.getByLabel('Name of the token').fill('phone');
  await tokens.getByRole('button', { name: 'Make a token' }).click();
  const text = (await tokens.locator('code').textContent()) ?? '';
  expect(text).toMatch(/^rd_[\w-]{43}$/);
  await expectAccessible(page, 'settings-token');
  await tokens.getByRole('button', { name: 'Hide it' }).click();
  await expect(page.getByText(text)).toHaveCount(0);

  const theirs = await browser.newContext();
  const other = await theirs.newPage();
  await openDashboard(other, daemon, '#/settings');
  await other.getByLabel('Code or token of the daemon').fill(text);
  await other.getByRole('button', { name: 'Sign this browser in' }).click();
  await expect(thisBrowser(other)).toContainText('This browser signed in with a token');
  await expect(other.getByRole('region', { name: 'Let another browser in' })).toHaveCount(0);

  await tokens.getByRole('button', { name: 'Revoke phone' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke phone' }).click();
  await expect(tokens.getByRole('button', { name: 'Revoke phone' })).toHaveCount(0);
  await expect(thisBrowser(other)).toContainText('This browser is not signed in');
  await theirs.close();
});

const thisBrowser = (page: Page) => page.getByRole('region', { name: 'This browser' });
const signedIn = (page: Page) => page.getByRole('region', { name: 'Signed-in browsers' });

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
  await expect(name, 'no sign-in is asked for').toBeVisible();
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
  await openSettingsSignedIn(other, daemon);
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

  await thisBrowser(page).getByRole('button', { name: 'Sign this browser out' }).click();
  await expect(thisBrowser(page)).toContainText('This browser is not signed in');
  await expect(page.getByRole('region', { name: 'Connection' })).toHaveCount(0);
  await theirs.close();
});

test.describe('a page of another site', () => {
  // They are independent and run last: in one worker they would prolong the run.
  test.describe.configure({ mode: 'parallel' });
  test.beforeEach(async ({ daemon, page }) => {
    await daemon.ensureInstalled(fixtureApp('polite'));
    if ((await daemon.slot()).state === 'free') await daemon.startApp('polite');
    await expect.poll(async () => (await daemon.slot()).state).toBe('running');
    await signIn(page, daemon);
  });

  /** The state that another site could have changed. */
  async function stateOf(context: BrowserContext, daemon: Daemon) {
    const [slot, installed, jobs] = await Promise.all([daemon.slot(), daemon.installed(), daemon.jobs()]);
    return { slot, installed, jobs, children: await daemon.children(), isSignedIn: await isSignedIn(context, daemon) };
  }

  for (const [index, place] of ['another port', 'another name'].entries()) {
    test(`at ${place} reads nothing and changes nothing, also in a browser that is signed in`, async ({
      stranger,
      context,
      daemon,
      otherSites,
    }) => {
      const before = await stateOf(context, daemon);
      expect(before.isSignedIn).toBe(true);
      await stranger.goto(otherSites.sites[index] as string);
      for (const [name, { run, succeeds, isBlind }] of Object.entries(attacks)) {
        expect(await stranger.evaluate(run, daemon.url), name).toBe(isBlind ? succeeds : 'refused');
        expect(await stateOf(context, daemon), `after ${name}`).toEqual(before);
      }
    });
  }

  test('under a name that was rebound to this machine gets no page, reads nothing and changes nothing', async ({
    stranger,
    context,
    daemon,
  }) => {
    const before = await stateOf(context, daemon);
    // To the browser this is one origin, so only the daemon can refuse.
    const rebound = `http://evil.test:${new URL(daemon.url).port}`;
    const answer = await stranger.goto(`${rebound}/`);
    expect(answer?.status()).toBe(403);
    await expect(stranger.getByText('does not serve that host name')).toBeVisible();
    for (const [name, { run, isBlind }] of Object.entries(attacks)) {
      const seen = await stranger.evaluate(run, rebound);
      if (!isBlind) expect(seen, name).toMatch(/^(refused|(sent )?403)$/);
      expect(await stateOf(context, daemon), `after ${name}`).toEqual(before);
    }
  });

  test('would succeed at a server without protection', async ({ stranger, otherSites }) => {
    const { url, arrived } = otherSites.unguarded;
    await stranger.goto(otherSites.sites[0] as string);
    for (const [name, { run, succeeds, arrives, needsAnswer }] of Object.entries(attacks)) {
      arrived.length = 0;
      const seen = await stranger.evaluate(run, url);
      expect(arrived, name).toContain(arrives);
      if (!needsAnswer) expect(seen, name).toBe(succeeds);
    }
  });

  test('may have a plain link to the dashboard', async ({ stranger, otherSites }) => {
    for (const site of otherSites.sites) {
      await stranger.goto(site);
      await stranger.getByRole('link', { name: 'Robot', exact: true }).click();
      await expect(stranger.getByRole('region', { name: 'Live view' })).toBeVisible();
      await expect(stranger.getByText('Moved by Polite')).toBeVisible();
    }
  });
});
