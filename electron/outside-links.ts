/** Which addresses may be opened in the user's browser. */
import { isLoopback } from '../daemon/http/security/own-hosts.ts';

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
