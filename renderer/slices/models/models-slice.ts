import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { ModelDetail, ModelPage } from '../../../daemon/contract/catalog/models.ts';
import { createLatestLoad, type Loaded } from '../base/loaded.ts';
import type { SetState } from '../base/slice.ts';
import { parseModelQuery } from './models-query.ts';

export interface ModelsSlice {
  /** What of the catalog was asked for last, as the address has it. */
  readonly modelsQuery: string;
  /** What the last answered query found; null: nobody has asked yet. */
  readonly modelPage: Loaded<ModelPage> | null;
  /** The one model that is looked at. */
  readonly model: { readonly id: string; readonly detail: Loaded<ModelDetail> } | null;
  /** Asks for the part of the catalog that the text behind the `?` of an address says. */
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
