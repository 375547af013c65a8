import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { StoreApp } from '../../../daemon/contract/apps/store.ts';
import type { ModelSummary } from '../../../daemon/contract/catalog/models.ts';
import type { OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';

/** The searches that only the daemon can make. */
export interface Found {
  /** The text that was searched for, without spaces around it. */
  readonly text: string;
  readonly storeApps: readonly StoreApp[];
  readonly models: readonly ModelSummary[];
  readonly endpoints: readonly OwnEndpoint[];
  /** Some search failed or took too long. */
  readonly isPartial: boolean;
}

/** Of each kind. */
const MOST = 6;
/** Endpoints are few, and searched here. */
const MOST_ENDPOINTS = 50;
const LONGEST_TEXT = 100;
const DEADLINE_MS = 5_000;

/** Models that run here come first. */
const rank = ({ fit }: ModelSummary): number => Number(fit.fits);

/** Searches the hub's apps, the models and the endpoints, a few of each. Never rejects. */
export async function findAll(call: DaemonClient['call'], text: string, stop: AbortSignal): Promise<Found> {
  const trimmed = text.trim();
  const search = trimmed.slice(0, LONGEST_TEXT);
  const signal = AbortSignal.any([stop, AbortSignal.timeout(DEADLINE_MS)]);
  const page = { page: 1, limit: MOST };
  const [store, models, endpoints] = await Promise.allSettled([
    call('listStore', { query: { ...page, search }, signal }),
    call('listModels', { query: { ...page, search }, signal }),
    call('listOwnEndpoints', { query: { page: 1, limit: MOST_ENDPOINTS }, signal }),
  ]);
  return {
    text: trimmed,
    storeApps: store.status === 'fulfilled' ? store.value.apps : [],
    models: models.status === 'fulfilled' ? models.value.models.toSorted((a, b) => rank(b) - rank(a)) : [],
    endpoints: endpoints.status === 'fulfilled' ? endpoints.value.endpoints : [],
    isPartial: [store, models, endpoints].some(({ status }) => status === 'rejected'),
  };
}
