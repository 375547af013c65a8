import type { ModelDetail, ModelPage, ModelSummary } from '../../../daemon/contract/catalog/models.ts';
import type { ModelQuery } from '../../slices/models/models-query.ts';
import { type Asked, useAsked, useKnown } from '../../store/use-asked.ts';

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
