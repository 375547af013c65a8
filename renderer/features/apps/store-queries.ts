import type { StoreAppDetail, StorePage } from '../../../daemon/contract/apps/store.ts';
import type { StoreQuery } from '../../slices/apps/store-query.ts';
import { type Asked, useAsked, useKnown } from '../../store/use-asked.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

/** A page of results with its search text. */
export interface FoundPage extends StorePage {
  readonly search: string;
}

const PAGE_APPS = 48;

/** Why an app cannot be installed on this machine; empty while that is not known, or a download of Python solves it. */
export const problemsOf = (detail: StoreAppDetail | null): readonly string[] =>
  detail === null || detail.pythonDownload !== null ? [] : detail.problems;

/** The details of an app, known once its page was opened; null before. */
export const useKnownDetail = (id: string): StoreAppDetail | null =>
  useKnown<StoreAppDetail, StoreAppDetail>('store-app', (detail) => (detail.id === id ? detail : undefined)) ?? null;

/** Asks for a page of the hub's apps. The results before stay until then. */
export function useStorePage(query: StoreQuery): Asked<FoundPage> {
  const { search, sort, page } = query;
  return useAsked<FoundPage>(
    ['store', search, sort, page],
    async (call, signal) => ({
      ...(await call('listStore', { query: { search, sort, page, limit: PAGE_APPS }, signal })),
      search,
    }),
    true,
  );
}

/** Asks for an app of the hub, again after a sign-in: it may be private. `listed`: what a list has of it. */
export function useStoreApp(id: string) {
  const [owner = '', name = ''] = id.split('/');
  const account = useDashboard((s) => s.hubAccount?.name ?? null);
  const detail = useAsked<StoreAppDetail>(['store-app', id, account], (call, signal) =>
    call('getStoreApp', { params: { owner, name }, signal }),
  );
  const listed = useKnown<FoundPage, StorePage['apps'][number]>('store', ({ apps }) =>
    apps.find((app) => app.id === id),
  );
  return { detail, listed };
}
