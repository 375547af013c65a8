import { isLoopback } from '../daemon/http/security/own-hosts.ts';

/**
 * Whether an address is a page of an origin that is served over HTTP. The origin alone is not enough: that of
 * `blob:http://127.0.0.1:8000/1` is the origin of the page that made the blob.
 * @param origin `http://127.0.0.1:8000`
 */
export function isPageOf(origin: string, url: string): boolean {
  const page = URL.parse(url);
  if (page === null || (page.protocol !== 'http:' && page.protocol !== 'https:')) return false;
  // A name or a password in an address is shown before the host, and can pass for it.
  return page.origin === origin && page.username === '' && page.password === '';
}

/** The sites that our own texts link to. Only these open in the user's browser, and only over https. */
const outsideHosts: ReadonlySet<string> = new Set(['www.python.org']);

/** Whether a link of the dashboard leads to one of those sites. */
export function isOutsideLink(url: string): boolean {
  const link = URL.parse(url);
  return link?.protocol === 'https:' && isPlain(link) && outsideHosts.has(link.host);
}

/**
 * Whether the system may get the address at all, whoever asks: it opens any scheme with the program that claims it. That
 * is a site over https, or the dashboard itself.
 */
export function isForBrowser(url: string): boolean {
  const link = URL.parse(url);
  if (link === null || !isPlain(link)) return false;
  return link.protocol === 'https:' || (link.protocol === 'http:' && isLoopback(link.hostname));
}

function isPlain({ username, password }: URL): boolean {
  return username === '' && password === '';
}
