import { useSyncExternalStore } from 'react';

export type Page = 'home' | 'robot' | 'apps' | 'activity';

/** Where the user is: the part of the address after `#`, so that the back button works without a server's help. */
export interface Route {
  readonly page: Page;
  /** The app of `#/apps/<name>`. */
  readonly appName: string | null;
  /** The `?tab=` of a page that has tabs. */
  readonly tab: string | null;
}

const pages: readonly Page[] = ['home', 'robot', 'apps', 'activity'];

export function parseRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?');
  const [first = '', second = ''] = path.split('/');
  const page = pages.find((each) => each === first) ?? 'home';
  const appName = page === 'apps' && second ? decoded(second) : null;
  return { page, appName, tab: new URLSearchParams(search).get('tab') };
}

export function hrefOf(page: Page, { appName, tab }: { appName?: string; tab?: string } = {}): string {
  const path = page === 'home' ? '#/' : `#/${page}`;
  return path + (appName ? `/${encodeURIComponent(appName)}` : '') + (tab ? `?tab=${tab}` : '');
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
