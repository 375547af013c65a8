/** Icons: the pictures that apps bring, and drawn tiles in the place of those that are missing or refused. */
import type { Locator, Page } from '@playwright/test';
import { svgPicture } from '../daemon/testing/apps/pictures.ts';
import { expectAccessible } from './accessible.ts';
import { card, expect } from './fixtures.ts';
import { appFiles, test } from './with-hub.ts';

const files = (name: string, title: string, icon?: string) => ({
  ...appFiles({ name, title }),
  ...(icon !== undefined && { 'icon.svg': icon }),
});

test.use({
  hubOptions: {
    name: 'icons',
    spaces: [
      { id: 'anna/painted', files: files('painted', 'Painted', svgPicture()) },
      { id: 'anna/plain', files: files('plain', 'Plain app') },
      { id: 'eve/armed', files: files('armed', 'Armed', svgPicture('<script>document.title = "armed"</script>')) },
    ],
  },
});

const picture = (place: Locator) => place.locator('.tile > img');
const isDrawn = (image: HTMLElement) => image instanceof HTMLImageElement && image.complete && image.naturalWidth > 0;

/** Expects that the browser could draw the icon of an app, in the place of its tile. */
async function expectPicture(place: Locator): Promise<void> {
  await expect(place.locator('.tile')).toHaveClass(/tile-covered/);
  expect(await picture(place).evaluate(isDrawn)).toBe(true);
}

async function expectTile(place: Locator, letters: string): Promise<void> {
  await expect(place.locator('.tile')).toHaveAttribute('data-letters', letters);
  await expect(picture(place)).toHaveCount(0);
}

async function install(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: `Install ${title}` }).click();
  await expect(page.getByRole('button', { name: `Start ${title}` })).toBeEnabled();
}

test('each sample shows its own icon', async ({ page, open }) => {
  await open('#/apps?tab=samples');
  for (const title of ['Hello wave', 'Dance', 'Look around', 'Chat reply']) await expectPicture(card(page, title));
  await expectAccessible(page, 'icons-of-samples');
});

test('an app of the store has a tile; once installed it shows its icon, unless that is missing or refused', async ({
  page,
  open,
}) => {
  await open('#/apps?tab=discover');
  await expectTile(card(page, 'anna/painted'), 'Pa');
  for (const title of ['Painted', 'Plain app', 'Armed']) await install(page, title);
  await expectPicture(card(page, 'anna/painted'));
  await expectTile(card(page, 'anna/plain'), 'PA');
  await expectTile(card(page, 'eve/armed'), 'Ar');

  // By the keyboard to the page of the app, which shows the same picture.
  await card(page, 'anna/painted').getByRole('link', { name: 'Painted', exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Painted' })).toBeVisible();
  await expectPicture(page.getByRole('main'));
  await open('#/apps');
  await expectPicture(card(page, 'Painted'));
  await expectTile(card(page, 'Armed'), 'Ar');
  await expectAccessible(page, 'icons-of-apps');
});

test('an icon that is opened as a page may run and load nothing', async ({ context, daemon }) => {
  // Not the fixture's page, which fails on errors: a browser may log that it loads no favicon either.
  const page = await context.newPage();
  const [sample] = await daemon.call('listSampleApps');
  const address = `${daemon.url}${sample?.icon}`;
  const response = await page.goto(address);
  expect(response?.headers()).toMatchObject({
    'content-type': 'image/svg+xml; charset=utf-8',
    'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
  });
  await expect(page.locator('svg')).toBeVisible();
});
