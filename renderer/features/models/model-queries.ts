import type { ModelDetail, ModelPage, ModelSummary } from '../../../daemon/contract/catalog/models.ts';
import type { OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import type { ModelQuery } from '../../slices/models/models-query.ts';
import { type Asked, useAsked, useAskedOfEndpoints, useKnown } from '../../store/use-asked.ts';

const PAGE_MODELS = 48;

/** Asks for a page of the catalog's models. The results before stay until then. */
export function useModelPage({ search, ...rest }: ModelQuery): Asked<ModelPage> {
  const query = { search: search.trim(), ...rest, limit: PAGE_MODELS };
  return useAsked<ModelPage>(['models', query], (call, signal) => call('listModels', { query, signal }), true);
}

/** Asks for a model of the catalog. `listed` is what a list said of it. */
export function useModel(id: string) {
  const [author = '', model = ''] = id.split('/');
  const detail = useAsked<ModelDetail>(['model', id], (call, signal) =>
    call('getModel', { params: { author, model }, signal }),
  );
  const listed = useKnown<ModelPage, ModelSummary>('models', ({ models }) =>
    models.find(({ repoId }) => repoId === id),
  );
  return { detail, listed };
}

const MAX_ENDPOINTS = 5;

/** Asks for the newest endpoints that serve a model. `matches` counts all of them. */
export function useEndpointsOf(repository: string): {
  readonly endpoints: readonly OwnEndpoint[];
  readonly matches: number;
} {
  const query = { repository, name: undefined, state: undefined, page: 1, limit: MAX_ENDPOINTS };
  const { value } = useAskedOfEndpoints(['endpoints of', repository], (call, signal) =>
    call('listOwnEndpoints', { query, signal }),
  );
  return value ?? { endpoints: [], matches: 0 };
}
