/** Help: the check of the installation, the report of a problem that is saved as a file, the guides and the keys. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expectAccessible } from './accessible.ts';
import { newDeployToken, signIn } from './deploy-token.ts';
import { expect, fixtureApp, test } from './fixtures.ts';
import { byKeyboard, byMouse } from './hands.ts';

test.use({ daemonOptions: { name: 'help', apps: [fixtureApp('crashes'), fixtureApp('polite')] } });

test('an installation is checked, and its problem reported in a file, without what was left out', async ({
  page,
  open,
  daemon,
}) => {
  test.setTimeout(180_000); // Python is looked for, and the package index asked
  await daemon.startApp('crashes');
  await expect.poll(async () => (await daemon.slot()).state).toBe('free');
  await writeFile(join(daemon.dataDir, 'sound-volume.json'), '{"volume":');
  await signIn(page, daemon);

  await open();
  await page.getByRole('link', { name: 'Help' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Help' })).toBeFocused();
  await page.getByRole('button', { name: 'Check this installation' }).click();
  await expect(page.getByRole('progressbar', { name: 'Checking this installation' })).toBeVisible();
  const broken = page.getByRole('region', { name: 'Does not work' });
  await expect(broken).toContainText('sound-volume.json', { timeout: 120_000 });
  await expect(broken).toContainText('Likely cause: Power was lost');
  await expect(broken).toContainText('doctor --fix');
  await expectAccessible(page, 'help-checked');

  await page.getByRole('button', { name: 'Collect the report' }).click();
  const parts = page.getByRole('list', { name: 'Parts of the report' });
  await expect(parts.getByRole('checkbox', { name: 'Last lines of crashes, which crashed' })).not.toBeChecked();
  await parts.getByRole('checkbox', { name: 'Last lines of crashes, which crashed' }).check();
  await parts.getByRole('checkbox', { name: 'Installed apps' }).uncheck();
  await parts.getByText('Look at it: Last runs of apps').click();
  await expect(parts.getByRole('log', { name: 'Last runs of apps' })).toContainText('the flux is not compensated');
  await expectAccessible(page, 'help-report');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the report' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^robot-desktop-problem-[\d-]+\.txt$/);
  const text = await readFile(await download.path(), 'utf8');
  expect(text).toContain('== Last lines of crashes, which crashed ==');
  expect(text).toMatch(/^Left out: Installed apps[.;]/m);
  expect(text).not.toContain(`${homedir()}/`);
});

for (const [name, handOn] of [
  ['by mouse', byMouse],
  ['by keyboard', byKeyboard],
] as const) {
  test(`an app that lost its environment is repaired, and the report says what was left out, ${name}`, async ({
    page,
    open,
    daemon,
  }) => {
    test.setTimeout(360_000); // two checks
    await rm(join(daemon.dataDir, 'apps', 'polite', 'envs'), { recursive: true });
    const hand = handOn(page);
    const broken = page.getByRole('region', { name: 'Does not work' });
    const finding = broken.getByRole('listitem').filter({ hasText: 'polite cannot be started' });
    await signIn(page, daemon);
    await open('#/help');
    await hand.press(page.getByRole('button', { name: /^Check (this installation|again)$/ }));
    await expect(finding).toContainText('its environment is missing', { timeout: 120_000 });
    await hand.press(finding.getByRole('button', { name: /^Repair/ }));
    await expect(finding).toContainText('Done: check again to see whether it helped.');
    await hand.press(page.getByRole('button', { name: 'Check again' }));
    await expect(finding).toHaveCount(0, { timeout: 120_000 });
    await daemon.startApp('polite');
    await expect.poll(async () => (await daemon.slot()).state).toBe('running');
    await daemon.freeSlot();

    await hand.press(page.getByRole('button', { name: 'Collect the report' }));
    const installed = page.getByRole('checkbox', { name: 'Installed apps' });
    await expect(installed).toBeChecked();
    await hand.tick(installed);
    await expect(installed).not.toBeChecked();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      hand.press(page.getByRole('button', { name: 'Save the report' })),
    ]);
    expect(await readFile(await download.path(), 'utf8')).toMatch(/^Left out: Installed apps[.;]/m);
  });
}

test('a check is cancelled by keyboard, and the focus stays on the page', async ({ page, open, daemon }) => {
  await signIn(page, daemon);
  await open('#/help');
  await page.getByRole('button', { name: /^Check/ }).focus();
  await page.keyboard.press('Enter');
  const cancel = page.getByRole('button', { name: 'Cancel check of this installation' });
  await cancel.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('The last check was cancelled.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Check/ })).toBeEnabled();
});

test('on a phone, a browser that is not signed in has the guides and the keys, and is asked to sign in', async ({
  page,
  open,
  daemon,
}) => {
  await page.setViewportSize({ width: 420, height: 900 });
  await open();
  const help = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Help' });
  await help.click();
  await expect(help).toHaveAttribute('aria-current', 'page');
  await expect(page.getByRole('region', { name: /^Sign in to check this installation/ })).toBeVisible();
  await page.getByText('Models in containers: getting Podman or Docker ready').click();
  await expect(page.getByRole('heading', { name: 'Getting it ready' })).toBeVisible();
  await expectAccessible(page, 'help-signed-out');
  await page.getByRole('button', { name: 'Show all shortcuts' }).click();
  await expect(page.getByRole('dialog', { name: 'Shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByLabel('Token of the daemon').fill(await newDeployToken(daemon));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'This installation' })).toBeVisible();
});

test('the palette finds help, plays a dance, and looks for updates', async ({ page, open, daemon }) => {
  await daemon.call('wakeUpRobot');
  const [dance] = (await daemon.call('listMoves')).filter(({ kind }) => kind === 'dance');
  await open();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('problem');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Help' })).toBeFocused();
  await page.keyboard.press('Control+k');
  await page.keyboard.type(`play ${dance?.name.replaceAll('_', ' ')}`);
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await daemon.robot()).robot.move).toBe(dance?.name);
  await expect(page.getByRole('region', { name: 'Moves' })).toBeVisible();
  await daemon.call('stopRobot');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('updates');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Apps' })).toBeFocused();
});
