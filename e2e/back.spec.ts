/** Back in the browser: through the tabs of a page, and out of a dialog before the page is left. */
import type { Page } from '@playwright/test';
import { card, expect, sampleApp, test } from './fixtures.ts';
import { byKeyboard, byMouse } from './hands.ts';

test.use({ daemonOptions: { name: 'back', apps: [sampleApp('hello_wave')] } });

/** Does as the browser's own button, which belongs to no page, so that a test cannot press it. */
const back = (page: Page) => page.evaluate(() => window.history.back());
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

for (const [name, handOn] of [
  ['by mouse', byMouse],
  ['by keyboard', byKeyboard],
] as const) {
  test(`Back goes through the tabs that were opened, and closes a dialog before it leaves the page, ${name}`, async ({
    page,
    open,
  }) => {
    const hand = handOn(page);
    const tab = (label: string) => page.getByRole('tab', { name: label, exact: true });
    const shows = (label: string) => expect(tab(label)).toHaveAttribute('aria-selected', 'true');
    const link = card(page, 'Hello wave').getByRole('link', { name: 'Hello wave', exact: true });
    const more = page.getByRole('button', { name: 'More for Hello wave' });
    await open('#/apps');
    await hand.press(link);
    await hand.switchTo(tab('Read me'));
    await expect(page.getByRole('region', { name: 'Read me' })).toContainText('The motion is in');
    await hand.press(more); // a stay on the tabs by keyboard ends here
    await page.keyboard.press('Escape');
    await hand.switchTo(tab('Output'));
    await back(page);
    await shows('Read me');
    await back(page);
    await shows('About');

    const dialog = page.getByRole('dialog', { name: 'Remove Hello wave' });
    await hand.press(more);
    await hand.choose(page.getByRole('menuitem', { name: 'Remove…' }));
    await expect(dialog).toBeVisible();
    await back(page);
    await expect(dialog).toHaveCount(0);
    await expect(title(page, 'Hello wave')).toBeVisible();
    await hand.expectFocus(more);

    await back(page);
    await expect(title(page, 'Apps')).toBeVisible();
    await expect(link).toBeFocused();
  });

  test(`the link back to the list skips the tabs, ${name}`, async ({ page, open }) => {
    const hand = handOn(page);
    await open('#/');
    await hand.press(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Apps' }));
    await hand.press(card(page, 'Hello wave').getByRole('link', { name: 'Hello wave', exact: true }));
    await hand.switchTo(page.getByRole('tab', { name: 'Read me' }));
    await hand.switchTo(page.getByRole('tab', { name: 'Output' }));
    await hand.press(page.getByRole('main').getByRole('link', { name: 'Apps', exact: true }));
    await expect(title(page, 'Apps')).toBeVisible();
    await back(page);
    await expect(title(page, 'Home')).toBeVisible();
  });
}

test('of the tabs that arrows pass, Back skips all to the one from which they began', async ({ page, open }) => {
  const hand = byKeyboard(page);
  const tab = (label: string) => page.getByRole('tab', { name: label, exact: true });
  await open('#/apps/hello_wave');
  await expect(tab('About')).toHaveAttribute('aria-selected', 'true');
  await hand.switchTo(tab('Output'));
  await back(page);
  await expect(tab('About')).toHaveAttribute('aria-selected', 'true');
  await expect(title(page, 'Hello wave')).toBeVisible();
});
