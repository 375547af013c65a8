/** The main journeys by keyboard alone. After every step the focus is on a control or a heading, never on the body. */
import { card, expect, test } from './fixtures.ts';
import { Keyboard } from './keyboard.ts';

test.use({ daemonOptions: { name: 'keyboard' } });

test('a sample is installed, started and stopped', async ({ page, open }) => {
  const keyboard = await Keyboard.of(page);
  await open();
  await keyboard.press('Control+3');
  await keyboard.expectFocus('Apps');
  await page.goto(`${page.url().split('#')[0]}#/apps?tab=samples`);
  const install = page.getByRole('button', { name: 'Install Hello wave' });
  await install.focus();
  await keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Start hello_wave' })).toBeFocused();
  await keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Stop hello_wave' }).first()).toBeFocused();
  await keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Start hello_wave' })).toBeFocused();
  await expect(card(page, 'hello_wave')).toContainText('ready');
  console.log(await keyboard.trail());
});
