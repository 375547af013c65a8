/** A mistyped address of an app, by mouse and by keyboard alone: a sentence at its field, and no trace of it elsewhere. */
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { expect, statusBar, test } from './fixtures.ts';
import { byKeyboard, byMouse } from './hands.ts';

test.use({ daemonOptions: { name: 'refused-address' } });

const pages = (page: Page) => page.getByRole('navigation', { name: 'Pages' });

for (const [name, handOn] of [
  ['by mouse', byMouse],
  ['by keyboard alone', byKeyboard],
] as const) {
  test(`a mistyped address is refused at its field and nowhere else, ${name}`, async ({ page, open, daemon }) => {
    const hand = handOn(page);
    await open('#/apps');
    await hand.press(page.getByRole('button', { name: 'Install…' }));
    const dialog = page.getByRole('dialog', { name: 'Install an app' });
    const field = dialog.getByRole('textbox', { name: 'Address' });
    const problem = dialog.getByRole('alert');
    await expect(field).toBeFocused();
    for (const [address, reason] of [
      ['passwd', /This is neither an https address/],
      [join(daemon.dataDir, 'nowhere'), /nowhere does not exist, or may not be read\./],
      ['https://git.example:99999/dance', /The port after the ":" is not a number from 1 to 65535\./],
      ['https://x/%C3%B6', /An address with "ö" is not supported\./],
    ] as const) {
      await hand.fill(field, address);
      await expect(problem).toHaveCount(0);
      await hand.send(dialog.getByRole('button', { name: 'Install', exact: true }));
      await expect(problem).toHaveText(reason);
      await expect(field).toHaveValue(address);
      await expect(field).toHaveAttribute('aria-invalid', 'true');
      await expect(field).toHaveAccessibleDescription(reason);
      await hand.expectFocus(field);
    }
    await expectAccessible(page, `refused-address-${name.replaceAll(' ', '-')}`);

    await hand.press(dialog.getByRole('button', { name: 'Close' }).last()); // the first one is the dialog's ✕
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole('region', { name: /failed$/ })).toHaveCount(0);
    await hand.press(pages(page).getByRole('link', { name: 'Activity' }));
    await expect(page.getByRole('heading', { name: 'No jobs yet' })).toBeVisible();
    await expect(statusBar(page).getByRole('button', { name: /^Notifications/ })).toHaveAccessibleName('Notifications');
    await hand.press(pages(page).getByRole('link', { name: 'Home' }));
    await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Needs attention' })).toHaveCount(0);
    expect(await daemon.jobs()).toEqual([]);
  });
}
