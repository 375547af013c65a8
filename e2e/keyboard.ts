import { expect, type Locator, type Page } from '@playwright/test';

/** Presses keys and counts them. After each, the focus must be on a control or a heading: never on the body. */
export class Keyboard {
  readonly #page: Page;
  /** Keys pressed so far: a combination counts as one, and so does a typed text. */
  pressed = 0;

  constructor(page: Page) {
    this.#page = page;
  }

  async press(key: string): Promise<void> {
    this.pressed += 1;
    await this.#page.keyboard.press(key);
    await this.expectSomeFocus();
  }

  async type(text: string): Promise<void> {
    this.pressed += 1;
    await this.#page.keyboard.type(text);
    await this.expectSomeFocus();
  }

  /** Opens a page newly, with the focus at its start, and counts from 0. */
  async afresh(hash: string): Promise<void> {
    const address = new URL(hash, this.#page.url()).href;
    await this.#page.goto('about:blank');
    await this.#page.goto(address);
    await expect(this.#page.getByRole('heading', { level: 1 })).toBeVisible();
    this.pressed = 0;
  }

  /** Follows the link that skips to the content, the first that Tab reaches. */
  async skipToContent(): Promise<void> {
    await this.press('Tab');
    await expect(this.#page.getByRole('button', { name: 'Skip to content' })).toBeFocused();
    await this.press('Enter');
    await expect(this.#page.getByRole('heading', { level: 1 })).toBeFocused();
  }

  /** Opens the palette, types, and chooses the line of that name. */
  async run(text: string, line: string): Promise<void> {
    await this.press('Control+k');
    await expect(this.#page.getByRole('combobox', { name: 'Search or run' })).toBeFocused();
    await this.type(text);
    await expect(
      this.#page.getByRole('listbox', { name: 'Results' }).getByRole('option', { selected: true }),
    ).toContainText(line);
    await this.press('Enter');
  }

  /** Presses Tab, or Shift+Tab, until the control has the focus. */
  async tabTo(control: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    for (let presses = 0; presses < 40; presses++) {
      if (await this.isFocused(control)) return;
      await this.press(key);
    }
    throw new Error(`${key} does not reach ${String(control)}`);
  }

  /** Presses Tab or Shift+Tab, whichever leads to the control, until it has the focus. */
  async goTo(control: Locator): Promise<void> {
    for (let presses = 0; presses < 60; presses++) {
      const key = await control.evaluate((element) => {
        const active = document.activeElement ?? document.body;
        if (element === active) return null;
        const isBefore = active.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING;
        return isBefore ? 'Shift+Tab' : 'Tab';
      });
      if (key === null) return;
      await this.press(key);
    }
    throw new Error(`Neither Tab nor Shift+Tab reaches ${String(control)}`);
  }

  isFocused(control: Locator): Promise<boolean> {
    return control.evaluate((element) => element === document.activeElement);
  }

  async expectSomeFocus(): Promise<void> {
    await expect
      .poll(() => this.#page.evaluate(() => document.activeElement?.tagName ?? 'none'), 'the focus is not lost')
      .not.toMatch(/^(BODY|HTML|none)$/);
  }
}
