import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { ModelDetail, ModelPage } from '../../../daemon/contract/catalog/models.ts';
import { createLatestLoad, type Loaded } from '../base/loaded.ts';
import type { SetState } from '../base/slice.ts';
import { parseModelQuery } from './models-query.ts';

export interface ModelsSlice {
  /** The catalog's last query, as in the address. */
  readonly modelsQuery: string;
  /** The results of the last query; null before the first. */
  readonly modelPage: Loaded<ModelPage> | null;
  /** The model that is shown. */
  readonly model: { readonly id: string; readonly detail: Loaded<ModelDetail> } | null;
  /** Loads the page of models for an address's query. */
  readonly loadModels: (query: string) => Promise<void>;
  readonly loadModel: (id: string) => Promise<void>;
}

const PAGE_MODELS = 24;

export function createModelsSlice(set: SetState<ModelsSlice>, daemon: DaemonClient): ModelsSlice {
  const loadPage = createLatestLoad();
  const loadDetail = createLatestLoad();
  return {
    modelsQuery: '',
    modelPage: null,
    model: null,
    loadModels(text) {
      set({ modelsQuery: text });
      const { task, license, accelerator, engine, author, ...rest } = parseModelQuery(text);
      const query = { task, license, accelerator, engine, author, ...rest, limit: PAGE_MODELS };
      return loadPage<ModelPage>(
        (signal) => daemon.call('listModels', { query, signal }),
        (next) => set(({ modelPage }) => ({ modelPage: next(modelPage) })),
      );
    },
    loadModel: (id) => {
      const [author = '', model = ''] = id.split('/');
      return loadDetail<ModelDetail>(
        (signal) => daemon.call('getModel', { params: { author, model }, signal }),
        (next) =>
          set(({ model: before }) => ({ model: { id, detail: next(before?.id === id ? before.detail : null) } })),
      );
    },
  };
}
