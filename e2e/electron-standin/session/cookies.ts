/** The cookies of a session, which Chromium keeps. */
import type { CookiesSetDetails } from 'electron';
import type { BrowserContext } from './permissions.ts';

/** Electron's words for it, and Chromium's. */
const SAME_SITE = { strict: 'Strict', lax: 'Lax', no_restriction: 'None', unspecified: undefined } as const;

export class Cookies {
  readonly #context: () => Promise<BrowserContext>;

  constructor(context: () => Promise<BrowserContext>) {
    this.#context = context;
  }

  async set({
    url,
    name = '',
    value = '',
    sameSite = 'lax',
    expirationDate,
    ...more
  }: CookiesSetDetails): Promise<void> {
    const { browser, id } = await this.#context();
    const cookie = {
      url,
      name,
      value,
      ...more,
      ...(SAME_SITE[sameSite] && { sameSite: SAME_SITE[sameSite] }),
      ...(expirationDate === undefined ? {} : { expires: expirationDate }),
    };
    await browser.send('Storage.setCookies', {
      cookies: [cookie],
      ...(id === undefined ? {} : { browserContextId: id }),
    });
  }
}
