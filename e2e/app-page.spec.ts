/** The page of an app: what it is comes first, its facts are folded, what its author wrote has a tab, and its buttons can be copied. */
import { execa } from 'execa';
import { expect, sampleApp, test } from './fixtures.ts';
import { byKeyboard, byMouse } from './hands.ts';

test.use({
  daemonOptions: { name: 'app-page', apps: [sampleApp('hello_wave')] },
  permissions: ['clipboard-read', 'clipboard-write'],
});
test.afterEach(({ daemon }) => daemon.freeSlot());

for (const [name, handOn] of [
  ['by mouse', byMouse],
  ['by keyboard', byKeyboard],
] as const) {
  test(`it begins with what the app is; its facts unfold, and its README has a tab, ${name}`, async ({
    page,
    open,
    daemon,
  }) => {
    const hand = handOn(page);
    await open('#/apps/hello_wave');
    const summary = page.getByRole('region', { name: 'Hello wave', exact: true });
    await expect(summary).toContainText('The robot waves its antennas until you stop it.');
    await expect(summary.locator('.tile')).toHaveClass(/tile-covered/);
    const fact = page.getByText('HelloWave in hello_wave.main');
    await expect(fact).toBeHidden();
    await hand.press(page.getByText('Technical details'));
    await expect(fact).toBeVisible();
    await hand.switchTo(page.getByRole('tab', { name: 'Read me' }));
    await expect(page).toHaveURL(/#\/apps\/hello_wave\?tab=readme$/);
    const readme = page.getByRole('region', { name: 'Read me' });
    await expect(readme.getByRole('heading', { name: 'What it shows' })).toBeVisible();
    await page.reload();
    await expect(readme).toContainText('The motion is in');
    await hand.press(summary.getByRole('button', { name: 'Start Hello wave' }));
    await expect(summary).toContainText('running');
    expect(await daemon.slot()).toMatchObject({ holder: { appName: 'hello_wave' } });
  });

  test(`what its buttons do is copied as a command, which does the same, and as a request, ${name}`, async ({
    page,
    open,
    daemon,
  }) => {
    const hand = handOn(page);
    const more = page.getByRole('button', { name: 'More for Hello wave' });
    const copied = async (item: string) => {
      await hand.press(more);
      await hand.choose(page.getByRole('menuitem', { name: 'Copy as command or request' }));
      await hand.choose(page.getByRole('menuitem', { name: item }));
      await expect(page.getByRole('menuitem', { name: 'Copied.' })).toBeFocused();
      await page.keyboard.press('Escape'); // to the first menu
      await page.keyboard.press('Escape');
      await expect(page.getByRole('menu')).toHaveCount(0);
      await expect(more).toBeFocused();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    await open('#/apps/hello_wave');
    const command = await copied('Copy “Start” as command');
    expect(command).toMatch(/ app start hello_wave --data-dir /);
    await execa(command, { shell: true });
    await expect(page.getByRole('region', { name: 'Hello wave', exact: true })).toContainText('running');
    expect(await copied('Copy “Stop” as request')).toBe(
      `curl -X POST ${daemon.url}/api/apps/stop-current-app \\\n  -H "Authorization: Bearer $TOKEN"`,
    );
  });
}
