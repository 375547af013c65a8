/** The looks that no theme shows: high contrast, on paper, and at 200 %. By what the browser computes and paints. */
import type { Page } from '@playwright/test';
import { expectRoom } from './accessible.ts';
import { expect, statusBar, test } from './fixtures.ts';
import { paintedIn, paintedOnPage, paintedOver, systemColours } from './painted.ts';

test.use({ daemonOptions: { name: 'looks-beside-themes' } });

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test.describe('in high contrast', () => {
  test.beforeEach(({ page }) =>
    page.emulateMedia({ colorScheme: 'dark', forcedColors: 'active', reducedMotion: 'reduce' }),
  );

  test('the current page, the selected tab, a choice and the line of the search are marked', async ({ page, open }) => {
    await open('#/robot');
    const { Canvas, Highlight, HighlightText } = await systemColours(page, 'Canvas', 'Highlight', 'HighlightText');
    const painted = await paintedOver(page, Highlight, Canvas);
    const marked = { background: Highlight, color: HighlightText };
    const ofPages = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    for (const [current, other] of [
      [ofPages.filter({ hasText: 'Robot' }), ofPages.filter({ hasText: 'Home' })],
      [page.getByRole('tab', { name: 'Moves' }), page.getByRole('tab', { name: 'Diagnostics' })],
    ] as const) {
      await expect(current).toHaveCSS('background-color', marked.background);
      await expect(current).toHaveCSS('color', marked.color);
      await expect(other).not.toHaveCSS('background-color', marked.background);
      expect((await paintedIn(current)).get(painted), 'most of the current one').toBeGreaterThan(0.5);
      // Its picture may have an edge of its neighbour.
      expect((await paintedIn(other)).get(painted) ?? 0, 'nothing of another one').toBeLessThan(0.05);
    }

    await page.keyboard.press('Control+k');
    const lines = page.getByRole('listbox', { name: 'Results' }).getByRole('option');
    await expect(lines.and(page.locator('[aria-selected="true"]'))).toHaveCSS('background-color', marked.background);
    await expect(lines.and(page.locator('[aria-selected="false"]')).first()).not.toHaveCSS(
      'background-color',
      marked.background,
    );

    await open('#/settings');
    const themes = page.getByRole('group', { name: 'Theme' }).locator('label');
    const isChosen = page.locator(':checked');
    await expect(themes.filter({ has: isChosen })).toHaveCSS('background-color', marked.background);
    await expect(themes.filter({ hasNot: isChosen }).first()).not.toHaveCSS('background-color', marked.background);
  });

  test('a switch is seen, and whether it is on', async ({ page, open }) => {
    await open();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Shortcuts' });
    const control = dialog.getByRole('switch', { name: 'Single keys' });
    const track = dialog.locator('.mantine-Switch-track');
    const { Canvas, CanvasText, Highlight } = await systemColours(
      page,
      ...(['Canvas', 'CanvasText', 'Highlight'] as const),
    );
    await expect(dialog, 'a dialog has an edge').toHaveCSS('border-top-color', CanvasText);
    for (const [isOn, ground, thumb] of [
      [true, Highlight, Canvas],
      [false, Canvas, CanvasText],
    ] as const) {
      await expect(control).toBeChecked({ checked: isOn });
      await expect(track).toHaveCSS('background-color', ground);
      await expect(track).toHaveCSS('outline-color', CanvasText);
      const painted = await paintedIn(track);
      expect(painted.get(await paintedOver(page, ground, Canvas)), 'its ground').toBeGreaterThan(0.2);
      expect(painted.get(thumb), 'its thumb').toBeGreaterThan(0.1);
      await track.click();
    }
    await expect(control).toBeChecked(); // as before: it is a setting of the browser
    expect(Highlight).not.toBe(Canvas);
  });

  test('a control that can do nothing looks so, and a meter shows where its joint is', async ({
    page,
    open,
    daemon,
  }) => {
    await daemon.call('wakeUpRobot');
    await open('#/robot?tab=diagnostics');
    const { CanvasText, GrayText } = await systemColours(page, 'CanvasText', 'GrayText');
    const controls = page.getByRole('region', { name: 'Live view' });
    const [stop, sleep] = [
      controls.getByRole('button', { name: 'Stop motion' }),
      controls.getByRole('button', { name: 'Put to sleep' }),
    ];
    await expect(stop, 'nothing moves').toHaveAttribute('aria-disabled', 'true');
    await expect(stop).toHaveCSS('color', GrayText);
    await expect(stop).toHaveCSS('border-top-color', GrayText);
    await expect(sleep).toBeEnabled();
    await expect(sleep).not.toHaveCSS('color', GrayText);

    const meter = page.getByRole('meter', { name: 'Body yaw' });
    await expect(meter.locator('.joint-position')).toHaveCSS('background-color', CanvasText);
    const painted = await paintedIn(meter);
    expect(painted.get(CanvasText), 'the position').toBeGreaterThan(0);
    expect(painted.size, 'and the bar that it is in').toBeGreaterThan(1);
  });
});

test('on paper a page is whole and light, without the frame and its controls', async ({ page, open }) => {
  await page.setViewportSize({ width: 1280, height: 480 });
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await open('#/robot?tab=diagnostics');
  const lastJoint = page.getByRole('row', { name: /^Left antenna/ });
  await expect(lastJoint).toBeVisible();
  const isLongerThanWindow = () => page.evaluate(() => document.documentElement.scrollHeight > window.innerHeight);
  const hasHiddenPart = () => page.getByRole('main').evaluate((main) => main.scrollHeight > main.clientHeight + 1);
  const frame = [page.getByRole('navigation', { name: 'Pages' }), statusBar(page), page.getByRole('tablist')];
  const controls = [...frame, button(page, 'Stop motion')];
  for (const control of controls) await expect(control).toBeVisible();
  expect([await isLongerThanWindow(), await hasHiddenPart()], 'on the screen it scrolls').toEqual([false, true]);

  await page.emulateMedia({ media: 'print' });
  await expect.poll(isLongerThanWindow, 'all of it is there').toBe(true);
  expect(await hasHiddenPart(), 'nothing of it is left out').toBe(false);
  for (const control of controls) await expect(control).toBeHidden();
  await expect(lastJoint).toBeVisible();
  await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(250, 249, 246)');
  await expect(page.locator('html'), 'controls and fields too').toHaveCSS('color-scheme', 'light');
  const painted = await paintedOnPage(page);
  const light = (painted.get('rgb(250, 249, 246)') ?? 0) + (painted.get('rgb(255, 255, 255)') ?? 0);
  expect(light, 'the share of paper').toBeGreaterThan(0.7);
});

test.describe('at 200 %', () => {
  // A window of 1280 × 800. All sizes are in px, so a browser's zoom is what doubles the text.
  test.use({ viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 });

  for (const [name, hash] of [
    ['Home', '#/'],
    ['the robot', '#/robot'],
    ['its diagnostics', '#/robot?tab=diagnostics'],
    ['the samples', '#/apps?tab=samples'],
    ['the models', '#/models'],
    ['the activity', '#/activity'],
    ['the settings', '#/settings'],
    ['help', '#/help'],
  ] as const) {
    test(`${name} can be read and used`, async ({ page, open }) => {
      await open(hash);
      await expectRoom(page, name);
      await expect(statusBar(page)).toBeInViewport({ ratio: 1 });
      const settings = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Settings' });
      await settings.focus();
      await expect(settings).toBeInViewport({ ratio: 1 });
      await page.getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded();
      await expect(page.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1 });
    });
  }

  test('a dialog keeps its field and its buttons in view', async ({ page, open }) => {
    await open('#/apps');
    await button(page, 'Install…').click();
    await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Address' })).toBeInViewport({ ratio: 1 });
    await expectRoom(page, 'the install of an app');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox', { name: 'Search or run' })).toBeInViewport({ ratio: 1 });
    await expectRoom(page, 'the search');
  });
});
