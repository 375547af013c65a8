/** The dashboard reports the misbehaviour of an app, and the next app can start. */
import { readFile } from 'node:fs/promises';
import { card, expect, fixtureApp, statusBar, test } from './fixtures.ts';

test.use({
  daemonOptions: {
    name: 'misbehaving-apps',
    apps: ['crashes', 'floods', 'garbage', 'ignores_sigint', 'polite'].map(fixtureApp),
  },
});
const count = (text: string) => Number(text.replaceAll(',', ''));

test.afterEach(async ({ daemon }) => {
  await daemon.freeSlot();
});

test('the card reports a crash, and the next start works', async ({ page, open, daemon }) => {
  await open('#/apps');
  await page.getByRole('button', { name: 'Start Crashes' }).click();
  const crashed = card(page, 'Crashes');
  await expect(crashed).toContainText('It crashed: unhandled RuntimeError: the flux is not compensated.');
  await expect(statusBar(page)).toContainText('No app runs');
  expect((await daemon.robot()).robot).toMatchObject({ state: 'awake', atDefault: true });
  await crashed.getByRole('link', { name: 'See its output' }).click();
  const output = page.getByRole('log', { name: 'Lines' });
  await expect(output).toContainText('about to fail');
  await expect(output).toContainText('RuntimeError: the flux is not compensated');

  await page.getByRole('link', { name: 'Apps' }).first().click();
  await page.getByRole('button', { name: 'Start Polite' }).click();
  await expect(card(page, 'Polite')).toContainText('running');
  await expect(crashed).not.toContainText('RuntimeError');
});

test('an app that does not stop when asked can be force-stopped', async ({ page, open, daemon }) => {
  await daemon.startApp('ignores_sigint');
  await open('#/apps');
  const stubborn = card(page, 'Ignores SIGINT');
  await stubborn.getByRole('button', { name: 'Stop Ignores SIGINT' }).click();
  await expect(stubborn.getByRole('button', { name: 'Stop Ignores SIGINT' })).toHaveText('Stopping…');
  const forceStop = stubborn.getByRole('button', { name: 'Force stop Ignores SIGINT' });
  await expect(forceStop).toHaveCount(0);
  await expect(forceStop).toBeVisible({ timeout: 10_000 });
  await forceStop.click();
  await expect(stubborn).toContainText('force-stopped');
  await expect(stubborn).toContainText('It was force-stopped.');
  await expect(statusBar(page)).toContainText('No app runs');
  expect(await daemon.children()).toEqual([]);
});

test('the page stays responsive under a flood of output, and shows a bounded part of it', async ({ page, open }) => {
  await open('#/apps/floods?tab=output');
  await page.getByRole('button', { name: 'Start floods' }).click();
  const output = page.getByRole('log', { name: 'Output' });
  await expect(output).toContainText(/line \d+/);
  // Meanwhile the page still responds.
  await page.getByRole('tab', { name: 'About' }).click();
  await expect(page.getByText('Floods in floods.main')).toBeVisible();
  await page.getByRole('tab', { name: 'Output' }).click();

  // Half a million lines take a busy machine longer than anything else does.
  await expect(output).toContainText('flooded', { timeout: 120_000 });
  await expect(output).toContainText('… cut here, the line is longer');
  await expect(page.getByRole('note')).toHaveText(
    /^The newest [\d,]+ of 500,002 lines\. All that is kept of this run$/,
  );
  expect(await output.locator('.output-line').count()).toBeLessThanOrEqual(2_000);

  await page.getByRole('link', { name: 'All that is kept of this run' }).click();
  const run = page.getByRole('region', { name: 'Output of this run' });
  await expect(run.getByRole('status').filter({ hasText: 'lines' })).toHaveText(/ of this run were not kept\.$/);
  const text = await run.getByRole('status').filter({ hasText: 'lines' }).innerText();
  const [, kept = '', lost = ''] = /^[\d,]+ to ([\d,]+) of \1 lines\. ([\d,]+) more lines/.exec(text) ?? [];
  expect(count(kept) + count(lost), 'one truth about the kept lines').toBe(500_002);
  await run.getByRole('textbox', { name: 'Search the output' }).fill('FLOODED');
  await expect(run).toContainText(`1 match in ${kept} lines`);
  await expect(run.getByRole('log').locator('mark')).toHaveText('flooded');
  await run.getByRole('switch', { name: 'Errors only' }).press('Space');
  await expect(run).toContainText(`0 matches in ${kept} lines`);
  await run.getByRole('switch', { name: 'Errors only' }).press('Space');
  const saved = async (button: string) => {
    const download = page.waitForEvent('download');
    await run.getByRole('button', { name: button }).click();
    const text = await readFile(await (await download).path(), 'utf8');
    const lines = text.split('\n').filter((line) => !line.startsWith('#') && line !== '');
    return { name: (await download).suggestedFilename(), lines };
  };
  const matches = await saved('Save matches in the output to a file');
  expect(matches.lines).toEqual([expect.stringMatching(/ out flooded$/)]);
  expect(matches.name).toMatch(/^floods-matches-[\dT-]+\.txt$/);
  await run.getByRole('button', { name: 'Clear the search' }).click();
  const all = await saved('Save all of the output to a file');
  expect(all.lines).toHaveLength(count(kept));
  expect(all.name).toMatch(/^floods-[\dT-]+\.txt$/);
  await page.getByRole('button', { name: 'Stop floods' }).first().click();
  await expect(statusBar(page)).toContainText('No app runs');
});

test('bytes that are not text are shown as lines', async ({ page, open }) => {
  await open('#/apps/garbage?tab=output');
  await page.getByRole('button', { name: 'Start Garbage' }).click();
  const output = page.getByRole('log', { name: 'Output' });
  await expect(output).toContainText('\u{fffd}\u{fffd}');
  await expect(output).toContainText('not text');
  await expect(output.getByText('red', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Stop Garbage' }).first().click();
  await expect(output).toContainText('no line feed \u{fffd}');
});
