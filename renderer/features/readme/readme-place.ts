import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { AppSource } from '../../../daemon/contract/apps/app-source.ts';
import type { ReadmeImage } from '../../../daemon/contract/apps/readme.ts';

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

export interface StorePlace {
  /** The address of the app on the hub. */
  readonly url: string;
  readonly id: string;
  readonly commit: string | null;
}

/** The README of an app of the store. */
export function storePlace({ url, id, commit }: StorePlace): ReadmePlace {
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
  if (source.kind === 'git') return { ...files, key, image: null }; // its files are not on this machine
  return {
    ...files,
    key,
    image: (call, path, signal) => call('getAppImage', { params: { appName }, query: { path }, signal }),
  };
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
