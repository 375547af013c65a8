import { expect, type Page } from '@playwright/test';

/** Presses and counts keys, and records where the focus was. */
export class Keyboard {
  readonly #page: Page;
  /** Keys pressed so far; a typed text counts as one. */
  pressed = 0;

  static async of(page: Page): Promise<Keyboard> {
    await page.addInitScript(() => {
      const names: string[] = [];
      const note = () => {
        const { activeElement: active } = document;
        const name = active?.getAttribute('aria-label') ?? active?.textContent?.slice(0, 40) ?? '';
        const text = `${active?.tagName.toLowerCase()} ${name.trim()}`;
        if (names.at(-1) !== text) names.push(text);
        requestAnimationFrame(note);
      };
      requestAnimationFrame(note);
      Object.assign(window, { focusTrail: names });
    });
    return new Keyboard(page);
  }

  private constructor(page: Page) {
    this.#page = page;
  }

  async press(key: string): Promise<void> {
    this.pressed += 1;
    await this.#page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    this.pressed += 1;
    await this.#page.keyboard.insertText(text);
  }

  async expectFocus(text: string): Promise<void> {
    await expect(this.#page.locator(':focus')).toContainText(text);
  }

  trail(): Promise<string[]> {
    return this.#page.evaluate(() => (window as unknown as { focusTrail: string[] }).focusTrail);
  }
}
