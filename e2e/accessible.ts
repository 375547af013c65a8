/** Checks the looks of a page. With E2E_PICTURES set, pictures go to test-results/pictures. */
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const sizes = [
  { width: 420, height: 900 },
  { width: 1024, height: 1180 },
  { width: 1440, height: 900 },
];
/** The themes, and high contrast, where the system's few colours replace all of the page's. */
const looks = [
  { look: 'light', colorScheme: 'light', forcedColors: 'none' },
  { look: 'dark', colorScheme: 'dark', forcedColors: 'none' },
  { look: 'forced', colorScheme: 'dark', forcedColors: 'active' },
] as const;
/** With `LOOKS_ALL` or pictures, every page is checked in each look, otherwise in one theme that depends on its name alone. */
const allLooks = Boolean(process.env['LOOKS_ALL'] ?? process.env['E2E_PICTURES']);

/** Expects that nothing overflows, is cut off or glued together at any size, that a dialog's buttons are in view, and that axe finds no violation. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  for (const [index, { look, ...media }] of looks.entries()) {
    if (!allLooks && index !== name.length % 2) continue;
    await page.emulateMedia({ ...media, reducedMotion: 'reduce' });
    for (const size of sizes) {
      const where = `${name}-${look}-${size.width}`;
      await page.setViewportSize(size);
      await expectRoom(page, where);
      // The contrasts of forced colours are the system's; the rest is as in a theme.
      if (media.forcedColors === 'none') expect(await violations(page), where).toEqual([]);
      else expect(await page.evaluate(textsLikeGround), `in the colour of their ground: ${where}`).toEqual([]);
      if (process.env['E2E_PICTURES']) {
        await page.screenshot({ path: join('test-results', 'pictures', `${where}.png`) });
      }
    }
  }
  await page.emulateMedia({ forcedColors: 'none' });
}

/** Expects that nothing overflows, is cut off or glued together at the size that the page has, and that a dialog's buttons are in view. */
export async function expectRoom(page: Page, where: string): Promise<void> {
  await page.evaluate(() => new Promise(requestAnimationFrame)); // the page hears of a new size with the next frame
  // Its new drawing takes another one.
  await expect.poll(() => page.evaluate(overflowing), `horizontal overflow: ${where}`).toEqual([]);
  expect(await page.evaluate(cutInStatusBar), `cut off in the status bar: ${where}`).toEqual([]);
  expect(await page.evaluate(buttonsOutOfView), `buttons of a dialog out of view: ${where}`).toEqual([]);
  expect(await page.evaluate(gluedWords), `words without a space between them: ${where}`).toEqual([]);
}

/** The rules of WCAG 2.2, which axe does not apply unless each version's are named. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Runs axe. @returns each violation with its elements */
async function violations(page: Page): Promise<string[]> {
  // axe is half a megabyte, and the page keeps it after the first run.
  const loaded = (await page.evaluate(() => 'axe' in window)) ? { axeSource: ';' } : {};
  // Else it puts style sheets that are still loading into the page as text, which the page's policy refuses.
  const preload = { assets: ['media'] };
  const axe = new AxeBuilder({ page, ...loaded }).setLegacyMode().options({
    ...{ resultTypes: ['violations'], preload, runOnly: { type: 'tag', values: tags } },
    // Off in axe unless it is named, though its tag is.
    rules: { 'label-content-name-mismatch': { enabled: true } },
  });
  const found = await axe.analyze();
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

/** Runs in the page: finds the texts that have the very colour of what they stand on. */
function textsLikeGround(): string[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    const { data, parentElement } = node;
    if (data.trim() === '' || !parentElement?.checkVisibility()) continue;
    const isHidden = getComputedStyle(parentElement).clipPath !== 'none';
    if (isHidden || parentElement.closest('.visually-hidden, svg, script, style, option')) continue;
    let ground: Element | null = parentElement;
    while (ground && getComputedStyle(ground).backgroundColor === 'rgba(0, 0, 0, 0)') ground = ground.parentElement;
    if (ground && getComputedStyle(ground).backgroundColor === getComputedStyle(parentElement).color) found.push(data);
  }
  return found;
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

/**
 * Runs in the page: finds words that are painted without the space that the text has between them. A flex or grid container
 * drops the spaces around its elements, and what the text says, such as a button's name, does not tell.
 */
function gluedWords(): string[] {
  const glued: string[] = [];
  // The characters that are painted as a space. Other white space of JavaScript, such as a vertical tab in a model's answer, has no width.
  const space = '[ \\t\\n\\r\\u00a0]';
  const [blank, spaceFirst, spaceLast] = [`^${space}*$`, `^${space}`, `${space}$`].map((each) => new RegExp(each));
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let before: { text: Text; endsWithSpace: boolean } | null = null;
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    const { data, parentElement } = node;
    if (blank?.test(data)) {
      if (before && parentElement?.contains(before.text)) before.endsWithSpace = true;
      continue;
    }
    const isPainted =
      parentElement?.checkVisibility() && !parentElement.closest('.visually-hidden, svg, script, style');
    if (!isPainted) continue;
    if (before && (before.endsWithSpace || spaceFirst?.test(data))) {
      const [a, b] = [characterBox(before.text, true), characterBox(node, false)];
      const isSameLine = a.top < b.bottom && b.top < a.bottom;
      const distance = Math.max(b.left - a.right, a.left - b.right);
      if (isSameLine && distance < 1) glued.push(`${before.text.data}|${data}`);
    }
    before = { text: node, endsWithSpace: spaceLast?.test(data) === true };
  }
  return glued;

  function characterBox(text: Text, isLast: boolean): DOMRect {
    const at = isLast ? text.data.trimEnd().length - 1 : text.data.length - text.data.trimStart().length;
    const range = document.createRange();
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    return range.getBoundingClientRect();
  }
}
