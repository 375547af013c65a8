/** The output of an app that writes half a million lines and one of 100 MB: shown, searched and saved. */
import { readFile } from 'node:fs/promises';
import { expect, fixtureApp, statusBar, test } from './fixtures.ts';

test.use({ daemonOptions: { name: 'flood', apps: [fixtureApp('floods')] } });
const count = (text: string) => Number(text.replaceAll(',', ''));

test.afterEach(async ({ daemon }) => {
  await daemon.freeSlot();
});

test('the page stays responsive under a flood of output, and shows a bounded part of it', async ({ page, open }) => {
  await open('#/apps/floods?tab=output');
  await page.getByRole('button', { name: 'Start floods' }).click();
  const output = page.getByRole('log', { name: 'Output' });
  await expect(output).toContainText(/line \d+/);
  // Meanwhile the page still responds.
  await page.getByRole('tab', { name: 'About' }).click();
  await expect(page.getByRole('switch', { name: 'Start when the robot wakes up' })).toBeVisible();
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
