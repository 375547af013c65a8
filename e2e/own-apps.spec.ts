/** A person writes an app: from a template, in a folder of their own, run with reload, checked, and taken off the list. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { card, expect, test } from './fixtures.ts';

test.use({ daemonOptions: { name: 'own-apps' } });

let home: string;
test.beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'robot-desktop my apps-'));
});
test.afterEach(async ({ daemon }) => {
  await daemon.freeSlot();
  for (const { id } of (await daemon.call('listOwnApps')).apps) {
    await daemon.call('forgetOwnApp', { params: { ownAppId: id } });
  }
  await rm(home, { recursive: true, force: true });
});

async function create(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New app' }).click();
  const dialog = page.getByRole('dialog', { name: 'New app' });
  await dialog.getByRole('textbox', { name: 'In the folder' }).fill(home);
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByRole('textbox', { name: 'Name' }).press('Enter');
}

/** An app's code, in the place of the template's. */
const prints = (text: string) => `from robot import RobotApp


class WaveHello(RobotApp):
    def run(self, robot, stop_event):
        print("${text}", flush=True)
        stop_event.wait()


if __name__ == "__main__":
    app = WaveHello()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
`;

test('an app is created, runs from its folder, and restarts when a file is saved', { tag: '@smoke' }, async ({
  page,
  open,
}) => {
  await open('#/apps?tab=create');
  await expect(page.getByRole('heading', { name: 'You have not created an app yet' })).toBeVisible();
  await expectAccessible(page, 'create-empty');
  await page.getByRole('button', { name: 'New app' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('class');
  await expectAccessible(page, 'create-new');
  await page.getByRole('textbox', { name: 'Name' }).press('Enter');
  await expect(page.getByRole('alert')).toContainText('it is a word of the Python language');
  await page.getByRole('button', { name: 'Cancel' }).click();

  await create(page, 'Wave hello');
  const folder = join(home, 'wave_hello');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Wave hello');
  await expect(page.getByRole('main')).toContainText(folder);
  const main = join(folder, 'wave_hello', 'main.py');
  await writeFile(main, prints('first'));

  await page.getByRole('button', { name: 'Run Wave hello' }).press('Enter');
  const output = page.getByRole('log', { name: 'Output' });
  await expect(output).toContainText('first', { timeout: 60_000 });
  expect(await page.evaluate(() => document.activeElement?.closest('.app-summary') !== null), 'keeps its focus').toBe(
    true,
  );
  await writeFile(main, prints('second'));
  await expect(output).toContainText('second');
  await expect(page.getByText('Reloaded once.')).toBeVisible();

  await writeFile(main, prints('third').replace('def run', 'def run run'));
  await expect(page.getByText(/The earlier code keeps running\./)).toBeVisible();
  await expect(page.getByRole('region', { name: 'wave_hello/main.py' })).toContainText('line 5');
  await expectAccessible(page, 'own-app-not-taken');
  await writeFile(main, prints('third'));
  await expect(output).toContainText('third');
  await expect(page.getByText(/The earlier code keeps running\./)).toHaveCount(0);
  await expectAccessible(page, 'own-app-running');

  await page.getByRole('main').getByRole('button', { name: 'Stop Wave hello' }).click();
  await expect(page.getByRole('button', { name: 'Run Wave hello' })).toBeVisible();
  await page.getByRole('link', { name: 'Create', exact: true }).click();
  await expect(card(page, 'Wave hello')).toContainText('not running');
  await expectAccessible(page, 'create-list');
});

test('a check lists what is wrong by file, repairs what it can, and the folder stays when the app leaves the list', async ({
  page,
  open,
}) => {
  await open('#/apps?tab=create');
  await create(page, 'Wave hello');
  const folder = join(home, 'wave_hello');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Wave hello');
  const readme = join(folder, 'README.md');
  const text = await readFile(readme, 'utf8');
  await writeFile(readme, text.replace('robot_python_app', 'my_tag'));
  await page.getByRole('tab', { name: 'Check' }).click();
  await page.getByRole('button', { name: 'Check: Wave hello' }).click();
  const findings = page.getByRole('region', { name: 'README.md' });
  await expect(findings).toContainText('Warning', { timeout: 60_000 });
  await expectAccessible(page, 'own-app-check');
  await page.getByRole('button', { name: 'Fix 1 finding…' }).click();
  await expectAccessible(page, 'own-app-fix');
  await page.getByRole('button', { name: 'Fix 1 finding', exact: true }).click();
  await expect(findings).toHaveCount(0);
  expect(await readFile(readme, 'utf8')).toContain('robot_python_app');

  await page.getByRole('button', { name: 'More for Wave hello' }).click();
  await page.getByRole('menuitem', { name: 'Take off the list…' }).click();
  await page.getByRole('button', { name: 'Take off the list' }).click();
  await expect(card(page, 'Wave hello')).toHaveCount(0);
  expect(await readFile(readme, 'utf8')).toContain('Wave hello');
  await page.getByRole('button', { name: 'Add a folder…' }).click();
  await page.getByRole('textbox', { name: 'Folder of the app' }).fill(folder);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Wave hello');
});
