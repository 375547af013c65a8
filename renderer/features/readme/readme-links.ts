import type { ReadmePlace } from './readme-place.ts';

/** The address of a link that a user may open; null: it leads nowhere, or is no web address. */
export function linkOf(href: string, { pageOf }: Pick<ReadmePlace, 'pageOf'>): string | null {
  const web = webAddress(href);
  if (web) return web.href;
  const path = pathOf(href);
  return path === null || !pageOf ? null : pageOf(path);
}

/** An image: a file of the repository, which the daemon can read, or an address elsewhere. */
export type ImageTarget =
  | { readonly kind: 'own'; readonly path: string }
  | { readonly kind: 'elsewhere'; readonly href: string; readonly host: string };

/** Where an image is; null: its address makes no sense. */
export function imageOf(src: string, { ownFiles, image }: Pick<ReadmePlace, 'ownFiles' | 'image'>): ImageTarget | null {
  const web = webAddress(src);
  if (!web) {
    const path = pathOf(src);
    return path === null || !image ? null : { kind: 'own', path };
  }
  const own = ownFiles?.exec(web.href)?.[0];
  const path = own === undefined ? null : pathOf(`/${web.href.slice(own.length)}`);
  if (path !== null && image) return { kind: 'own', path };
  return { kind: 'elsewhere', href: web.href, host: web.host };
}

function webAddress(text: string): URL | null {
  if (!/^(?:https?:)?\/\//i.test(text.trim())) return null;
  try {
    const url = new URL(text.trim(), 'https://x.invalid');
    // An address with a user name looks like another host.
    return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' ? url : null;
  } catch {
    return null;
  }
}

/** A path in the repository; null for other schemes, for a place in the README, and for a path that leads out. */
function pathOf(text: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:|^\/\/|\\/i.test(text.trim())) return null;
  try {
    const path = decodeURIComponent(text.trim().replace(/[?#].*$/s, ''));
    const parts: string[] = [];
    for (const part of path.split('/')) {
      if (part === '..' && parts.pop() === undefined) return null;
      if (part !== '' && part !== '.' && part !== '..') parts.push(part);
    }
    return parts.length === 0 || /[\p{Cc}\\]/u.test(path) ? null : parts.join('/');
  } catch {
    return null;
  }
}
