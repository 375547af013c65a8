/** A button without a menu beside it copies what it does from its context menu: on a page, and in a dialog, above it. */
import type { Locator } from '@playwright/test';
import { expect, fixtureApp, test } from './fixtures.ts';
import { byKeyboard, byMouse } from './hands.ts';

test.use({
  daemonOptions: { name: 'copy-on-context', apps: [fixtureApp('polite')] },
  permissions: ['clipboard-read', 'clipboard-write'],
});

const byRightClick = (control: Locator) => control.click({ button: 'right' });
async function byMenuKey(control: Locator): Promise<void> {
  await control.focus();
  await control.press('Shift+F10');
}

for (const [name, handOn, openMenu] of [
  ['by mouse', byMouse, byRightClick],
  ['by keyboard', byKeyboard, byMenuKey],
] as const) {
  test(`a button copies what it does from its context menu, ${name}`, async ({ page, open, daemon }) => {
    const hand = handOn(page);
    const copied = async (control: Locator, item: string) => {
      await openMenu(control);
      await hand.choose(page.getByRole('menuitem', { name: item }));
      await expect(page.getByRole('menuitem', { name: 'Copied.' })).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('menu')).toHaveCount(0);
      await expect(control).toBeFocused();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    await open('#/robot');
    const touch = page.getByRole('button', { name: 'Touch left antenna' });
    expect(await copied(touch, 'Copy as request')).toContain(`${daemon.url}/api/robot/simulation/touch?antenna=left`);

    await open('#/apps/polite');
    await hand.press(page.getByRole('button', { name: 'More for Polite' }));
    await hand.choose(page.getByRole('menuitem', { name: 'Remove…' }));
    const remove = page.getByRole('dialog').getByRole('button', { name: /^Remove Polite/ });
    expect(await copied(remove, 'Copy as command')).toMatch(/ app rm polite --data-dir /);
    await expect(page.getByRole('dialog'), 'Escape has closed the menu alone').toBeVisible();
    expect(
      (await daemon.installed()).map(({ name }) => name),
      'nothing is done',
    ).toEqual(['polite']);
  });
}
