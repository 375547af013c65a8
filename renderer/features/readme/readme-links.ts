import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { AppSource } from '../../../daemon/contract/apps/app-source.ts';
import type { ReadmeImage } from '../../../daemon/contract/apps/readme.ts';
import type { StoreAppDetail } from '../../../daemon/contract/apps/store.ts';

/** Where a README comes from: what its links and images are relative to. */
export interface ReadmePlace {
  /** Distinguishes the images of one README from those of another. */
  readonly key: string;
  /** The address of a file's page in the repository, for links; null: the files have no addresses. */
  readonly pageOf: ((path: string) => string) | null;
  /** Addresses of the repository's own files begin like that; null: there are none. */
  readonly ownFiles: RegExp | null;
  /** Asks the daemon for an image; null: none can be shown. */
  readonly image: ((call: DaemonClient['call'], path: string, signal: AbortSignal) => Promise<ReadmeImage>) | null;
}

/** The README of an app of the store. `url`: the address of the app on the hub. */
export function storePlace({ url, id, commit }: Pick<StoreAppDetail, 'url' | 'id' | 'commit'>): ReadmePlace {
  const [owner = '', name = ''] = id.split('/');
  return {
    ...hubFiles(url, commit),
    key: `${id} ${commit}`,
    image:
      commit === null
        ? null
        : (call, path, signal) =>
            call('getStoreAppImage', { params: { owner, name }, query: { path, commit }, signal }),
  };
}

/** The README of an installed app. */
export function installedPlace(appName: string, source: AppSource): ReadmePlace {
  const files =
    source.kind === 'space'
      ? hubFiles(`${source.hub}/spaces/${source.id}`, source.commit, source.subdirectory)
      : { pageOf: null, ownFiles: null };
  const key = `${appName} ${'commit' in source ? source.commit : ''}`;
  const image: ReadmePlace['image'] = (call, path, signal) =>
    call('getAppImage', { params: { appName }, query: { path }, signal });
  return { ...files, key, image: source.kind === 'git' ? null : image }; // the files of git are not on this machine
}

function hubFiles(url: string, commit: string | null, subdirectory?: string) {
  const below = subdirectory === undefined ? '' : `${encodedPath(subdirectory)}/`;
  return {
    pageOf: (path: string) => `${url}/blob/${commit ?? 'main'}/${below}${encodedPath(path)}`,
    ownFiles: new RegExp(`^${escaped(url)}/(?:resolve|raw|blob)/[^/]+/${escaped(below)}`),
  };
}

const encodedPath = (path: string) => path.split('/').map(encodeURIComponent).join('/');
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The address of a link that a user may open; null: it leads nowhere, to this machine, or is no web address. */
export function linkOf(href: string, { pageOf }: Pick<ReadmePlace, 'pageOf'>): string | null {
  const web = webAddress(href);
  if (web) return isThisMachine(web) ? null : web.href;
  const path = pathOf(href);
  return path === null || !pageOf ? null : pageOf(path);
}

/** The daemon and the pages of apps are here: nobody else's text leads to an action of theirs. */
const isThisMachine = ({ hostname, origin }: URL) =>
  origin === window.location.origin ||
  /^(?:(?:.*\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[\da-f]{2}:[\da-f]+\])\.?$/.test(hostname);

/** An image: a file of the repository, which the daemon can read, or an address elsewhere. */
type ImageTarget =
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
