import { useSyncExternalStore } from 'react';

export type Page = 'home' | 'robot' | 'apps' | 'activity' | 'settings';

/** Where the user is: the part of the address after `#`, so that the back button works without a server's help. */
export interface Route {
  readonly page: Page;
  /** The app of `#/apps/<name>`. */
  readonly appName: string | null;
  /** The hub's app of `#/apps/store/<owner>/<name>`, `owner/name`. */
  readonly spaceId: string | null;
  /** The `?tab=` of a page that has tabs. */
  readonly tab: string | null;
  /** The `?run=` of an app's runs: the one whose output is looked at. */
  readonly run: string | null;
}

/** Where a link leads within a page. */
export type Place = { readonly [K in 'appName' | 'spaceId' | 'tab' | 'run']?: string };

const pages: readonly Page[] = ['home', 'robot', 'apps', 'activity', 'settings'];

export function parseRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?');
  const [first = '', ...rest] = path.split('/').map(decoded);
  const page = pages.find((each) => each === first) ?? 'home';
  const [second = '', owner = '', name = ''] = page === 'apps' ? rest : [];
  const spaceId = second === 'store' && owner && name ? `${owner}/${name}` : null;
  const query = new URLSearchParams(search);
  return {
    page,
    appName: spaceId === null && second ? second : null,
    spaceId,
    tab: query.get('tab'),
    run: query.get('run'),
  };
}

export function hrefOf(page: Page, { appName, spaceId, tab, run }: Place = {}): string {
  const path = [
    page === 'home' ? '' : page,
    ...(spaceId ? ['store', ...spaceId.split('/')] : appName ? [appName] : []),
  ];
  const query = new URLSearchParams({ ...(tab && { tab }), ...(run && { run }) }).toString();
  return `#/${path.map(encodeURIComponent).join('/')}${query && `?${query}`}`;
}

export function navigate(href: string): void {
  window.location.hash = href;
}

/** A tab is not a place to go back to. */
export function switchTab(href: string): void {
  window.history.replaceState(null, '', href);
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}

export function useRoute(): Route {
  return parseRoute(useSyncExternalStore(listen, () => window.location.hash));
}

function listen(changed: () => void): () => void {
  window.addEventListener('hashchange', changed);
  return () => window.removeEventListener('hashchange', changed);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
