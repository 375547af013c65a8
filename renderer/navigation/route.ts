import { useSyncExternalStore } from 'react';
import { pages } from '../../daemon/contract/dashboard-pages.ts';

export type RailPage = (typeof pages)[number]['page'];
/** Help is at the end of the rail, and has no key. */
export type Page = RailPage | 'help';

/** The current page, from the address's hash, so that the back button works without a server. */
export interface Route {
  readonly page: Page;
  /** The app of `#/apps/<name>`. */
  readonly appName: string | null;
  /** The hub's app of `#/apps/store/<owner>/<name>`, `owner/name`. */
  readonly spaceId: string | null;
  /** The app that the user writes, of `#/apps/own/<id>`. */
  readonly ownAppId: string | null;
  /** The catalog's model of `#/models/<author>/<name>`, `author/name`. */
  readonly modelId: string | null;
  /** The endpoint of `#/models/endpoints/<namespace>/<name>`, `namespace/name`. */
  readonly endpointId: string | null;
  /** The `?tab=` of a page that has tabs. */
  readonly tab: string | null;
  /** The `?run=` of an app's runs: the run whose output is shown. */
  readonly run: string | null;
  /** The rest of the query, owned by the page: its filters, for example. */
  readonly query: string;
}

/** The target of a link within a page. */
export type RouteParams = {
  readonly [K in 'appName' | 'spaceId' | 'ownAppId' | 'modelId' | 'endpointId' | 'tab' | 'run' | 'query']?: string;
};

export function parseRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?');
  const [first = '', ...rest] = path.split('/').map(decode);
  const page = first === 'help' ? first : (pages.find((each) => each.page === first)?.page ?? 'home');
  const [second = '', owner = '', name = ''] = page === 'apps' ? rest : [];
  const spaceId = second === 'store' && owner && name ? `${owner}/${name}` : null;
  const ownAppId = second === 'own' && owner ? owner : null;
  const [author = '', model = '', last = ''] = page === 'models' ? rest : [];
  const endpointId = author === 'endpoints' && model && last ? `${model}/${last}` : null;
  const { tab = null, run = null, ...others } = Object.fromEntries(new URLSearchParams(search));
  return {
    page,
    appName: spaceId === null && ownAppId === null && second ? second : null,
    spaceId,
    ownAppId,
    modelId: endpointId === null && author && model ? `${author}/${model}` : null,
    endpointId,
    tab,
    run,
    query: new URLSearchParams(others).toString(),
  };
}

export function hrefOf(
  page: Page,
  { appName, spaceId, ownAppId, modelId, endpointId, tab, run, query = '' }: RouteParams = {},
): string {
  const item =
    (spaceId && `store/${spaceId}`) ||
    (ownAppId && `own/${ownAppId}`) ||
    (endpointId && `endpoints/${endpointId}`) ||
    modelId;
  const segments = appName ? [appName] : (item?.split('/') ?? []);
  const path = [page === 'home' ? '' : page, ...segments].map(encodeURIComponent).join('/');
  const own = new URLSearchParams({ ...(tab && { tab }), ...(run && { run }) }).toString();
  const search = [own, query].filter(Boolean).join('&');
  return `#/${path}${search && `?${search}`}`;
}

/** The address of the current page with changed parameters; null removes one. */
export function hrefWith(changes: Readonly<Record<string, string | null>>): string {
  const [path = '', search = ''] = window.location.hash.split('?');
  const params = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) params.delete(name);
    else params.set(name, value);
  }
  const query = params.toString();
  return (path || '#/') + (query && `?${query}`);
}

export function navigate(href: string): void {
  window.location.hash = href;
}

/** Shows the address without a new entry of the history: Back skips it. */
export function replaceAddress(href: string): void {
  window.history.replaceState(window.history.state, '', href);
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}

export function useRoute(): Route {
  return parseRoute(useSyncExternalStore(listen, () => window.location.hash));
}

function listen(changed: () => void): () => void {
  window.addEventListener('hashchange', changed);
  return () => window.removeEventListener('hashchange', changed);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
