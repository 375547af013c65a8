/** Checks the looks of a page. With E2E_PICTURES set, pictures go to test-results/pictures. */
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const narrow = { width: 420, height: 900 };
const wide = { width: 1280, height: 800 };
const sizes = [narrow, { width: 820, height: 1180 }, wide];

/** The themes, each with the size at which axe checks the page: the theme changes contrasts, the size the content. */
const themes = [
  { colorScheme: 'light', sizeForAxe: wide },
  { colorScheme: 'dark', sizeForAxe: narrow },
] as const;
/** With `LOOKS_ALL` or pictures, every page is checked in both themes, otherwise in one that depends on its name alone. */
const allThemes = Boolean(process.env['LOOKS_ALL'] ?? process.env['E2E_PICTURES']);

/** Expects that nothing overflows or is cut off at any size, that a dialog's buttons are in view, and that axe finds no violation. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  for (const [index, { colorScheme, sizeForAxe }] of themes.entries()) {
    if (!allThemes && index !== name.length % themes.length) continue;
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const size of sizes) {
      const where = `${name}-${colorScheme}-${size.width}`;
      await page.setViewportSize(size);
      await page.evaluate(() => new Promise(requestAnimationFrame)); // the page hears of a new size with the next frame
      // Its new drawing takes another one.
      await expect.poll(() => page.evaluate(overflowing), `horizontal overflow: ${where}`).toEqual([]);
      expect(await page.evaluate(cutInStatusBar), `cut off in the status bar: ${where}`).toEqual([]);
      expect(await page.evaluate(buttonsOutOfView), `buttons of a dialog out of view: ${where}`).toEqual([]);
      if (size === sizeForAxe) expect(await violations(page), where).toEqual([]);
      if (process.env['E2E_PICTURES']) {
        await page.screenshot({ path: join('test-results', 'pictures', `${where}.png`) });
      }
    }
  }
}

/** Runs axe. @returns each violation with its elements */
async function violations(page: Page): Promise<string[]> {
  // axe is half a megabyte, and the page keeps it after the first run.
  const loaded = (await page.evaluate(() => 'axe' in window)) ? { axeSource: ';' } : {};
  // Else it puts style sheets that are still loading into the page as text, which the page's policy refuses.
  const preload = { assets: ['media'] };
  const axe = new AxeBuilder({ page, ...loaded }).setLegacyMode().options({ resultTypes: ['violations'], preload });
  const found = await axe.withTags(['wcag2a', 'wcag2aa']).analyze();
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** Runs in the page: finds the parts of the frame that scroll sideways. */
function overflowing(): string[] {
  const parts = [document.documentElement, ...document.querySelectorAll('main, footer, nav')];
  return parts
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map(({ tagName, scrollWidth, clientWidth }) => `${tagName} ${scrollWidth} > ${clientWidth}`);
}

/** Runs in the page: finds the texts of the status bar that end in an ellipsis. */
function cutInStatusBar(): string[] {
  return [...document.querySelectorAll<HTMLElement>('footer *')]
    .filter((part) => getComputedStyle(part).textOverflow === 'ellipsis' && part.scrollWidth > part.clientWidth)
    .map(({ textContent }) => textContent);
}

/** Runs in the page: finds the buttons at the end of a dialog that need scrolling, or that something covers. */
function buttonsOutOfView(): string[] {
  return [...document.querySelectorAll<HTMLElement>('[role="dialog"] .dialog-actions button')]
    .filter((button) => {
      const { left, top, width, height } = button.getBoundingClientRect();
      return !button.contains(document.elementFromPoint(left + width / 2, top + height - 2));
    })
    .map(({ textContent }) => textContent);
}
