/** From an idea to an app that others find: created, checked, run, changed, published, installed and used, in the dashboard. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { AppTemplate } from '../daemon/contract/apps/own-apps.ts';
import { card, type Daemon, expect } from './fixtures.ts';
import { test } from './with-hub.ts';

/** A check builds the app, and an install too, as other tests do at the same time. */
const BUILD = { timeout: 60_000 };

test.use({ hubOptions: { name: 'idea-to-store', spaces: [] } });
test.beforeAll(({ hub }) => hub.addToken('hf_zoe_writes', { name: 'zoe', role: 'write' }));
test.afterEach(({ daemon }) => daemon.freeSlot());

interface Journey {
  readonly template: AppTemplate;
  /** The label of its card. */
  readonly label: string;
  readonly title: string;
  /** The name of its folder, package and entry point. */
  readonly name: string;
  /** Uses a control of its settings page, and waits for the effect. */
  readonly use: (settings: Page, daemon: Daemon) => Promise<void>;
}

const journeys: readonly Journey[] = [
  {
    template: 'default',
    label: 'Moves and settings',
    title: 'Morning stretch',
    name: 'morning_stretch',
    use: async (settings) => {
      const speed = settings.getByLabel('How fast');
      await expect(speed).toBeEnabled();
      await speed.fill('2.5');
      await settings.reload();
      await expect(speed).toHaveValue('2.5');
    },
  },
  {
    template: 'conversation',
    label: 'Conversation',
    title: 'Small talk',
    name: 'small_talk',
    use: async (settings) => {
      const message = settings.getByRole('textbox').first();
      await expect(message).toBeEnabled();
      await message.fill('Please nod');
      await message.press('Enter');
      await expect(settings.getByText('Please nod')).toBeVisible();
    },
  },
];

for (const { template, label, title, name, use } of journeys) {
  test(`the template ${template}: created, checked, run, changed, published, found, installed, used, stopped`, async ({
    page,
    open,
    daemon,
  }) => {
    const folder = await mkdtemp(join(tmpdir(), 'own apps '));
    const main = join(folder, name, name, 'main.py');
    try {
      await open('#/apps?tab=create');
      await page.getByRole('button', { name: 'New app' }).click();
      const dialog = page.getByRole('dialog', { name: 'New app' });
      await dialog.getByRole('textbox', { name: 'Name' }).fill(title);
      await dialog.getByRole('radio', { name: label }).check();
      await dialog.getByRole('textbox', { name: 'In the folder' }).fill(folder);
      await dialog.getByRole('button', { name: 'Create' }).click();
      await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();

      await page.getByRole('tab', { name: 'Check' }).click();
      await page.getByRole('button', { name: `Check: ${title}` }).click();
      await expect(page.getByText('No problems')).toBeVisible(BUILD);
      await expect(page.getByText('It was also built, installed and loaded.')).toBeVisible();

      const ownApp = page.getByRole('region', { name: title });
      await ownApp.getByRole('button', { name: `Run ${title}` }).click();
      await expect(ownApp.getByRole('button', { name: `Stop ${title}` })).toBeVisible(BUILD);
      await expect.poll(async () => (await daemon.slot()).state, BUILD).toBe('running');

      const source = await readFile(main, 'utf8');
      await writeFile(main, `${source}\nbroken = (\n`);
      await expect(page.getByText('The earlier code keeps running.')).toBeVisible();
      expect((await daemon.slot()).state).toBe('running');
      await writeFile(main, source.replace('\nif __name__', '\nprint("Changed.", flush=True)\n\nif __name__'));
      await expect(page.getByText('Reloaded once')).toBeVisible();
      await page.getByRole('tab', { name: 'Output' }).click();
      await expect(page.getByText('Changed.').first()).toBeVisible();
      await expect.poll(async () => (await daemon.slot()).state).toBe('running');
      await ownApp.getByRole('button', { name: `Stop ${title}` }).click();
      await expect(ownApp.getByRole('button', { name: `Run ${title}` })).toBeVisible();

      await page.getByRole('tab', { name: 'Publish' }).click();
      await page.getByRole('button', { name: 'Publish…' }).click();
      const publish = page.getByRole('dialog', { name: `Publish ${title}` });
      const token = publish.getByLabel('Access token of the hub');
      const forEveryone = publish.getByRole('radio', { name: 'Public' });
      await expect(token.or(forEveryone)).toBeVisible();
      if (await token.isVisible()) {
        await token.fill('hf_zoe_writes');
        await publish.getByRole('button', { name: 'Sign in' }).click();
      }
      await forEveryone.check();
      await publish.getByRole('button', { name: 'Publish for everyone' }).click();
      const found = page.getByRole('link', { name: 'Find it in Discover' });
      await expect(found).toBeVisible(BUILD);

      await found.click();
      const id = `zoe/${name.replaceAll('_', '-')}`;
      const inStore = page.getByRole('article', { name: id });
      await expect(inStore).toContainText(title);
      await inStore.getByRole('button', { name: /^Install/ }).click();
      await expect
        .poll(async () => (await daemon.installed()).find((app) => app.name === name)?.source.kind, BUILD)
        .toBe('space');

      await page.getByRole('tab', { name: 'Installed' }).click();
      const installed = card(page, title);
      await installed.getByRole('button', { name: `Start ${title}` }).click();
      const link = installed.getByRole('link', { name: `Settings of ${title}` });
      await expect(link).toBeVisible();
      const [settings] = await Promise.all([page.waitForEvent('popup'), link.click()]);
      await use(settings, daemon);
      await settings.close();
      await installed.getByRole('button', { name: `Stop ${title}` }).click();
      await expect.poll(async () => (await daemon.slot()).state).toBe('free');
      expect((await daemon.call('listRuns')).at(0)).toMatchObject({ appName: name, outcome: 'stopped' });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}
