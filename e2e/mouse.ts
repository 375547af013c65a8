import type { Locator } from '@playwright/test';

/** Clicks, and counts the clicks. Typed text is not counted. */
export class Mouse {
  clicks = 0;

  async click(control: Locator): Promise<void> {
    this.clicks += 1;
    await control.click();
  }
}
