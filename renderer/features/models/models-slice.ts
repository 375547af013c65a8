import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { ModelDetail, ModelPage } from '../../../daemon/contract/models.ts';
import { type Loaded, load } from '../../store/loaded.ts';
import type { GetState, SetState } from '../../store/slice.ts';
import { parseModelQuery } from './models-query.ts';

export interface ModelsSlice {
  /** What of the catalog was asked for last, as the address has it. */
  readonly modelsAsked: string;
  /** What the last answered query found; null: nobody has asked yet. */
  readonly modelPage: Loaded<ModelPage> | null;
  /** The one model that is looked at. */
  readonly model: { readonly id: string; readonly detail: Loaded<ModelDetail> } | null;
  /** Asks for the part of the catalog that the text behind the `?` of an address says. */
  readonly loadModels: (query: string) => Promise<void>;
  readonly loadModel: (id: string) => Promise<void>;
}

const PAGE_MODELS = 24;

export function createModelsSlice(
  set: SetState<ModelsSlice>,
  get: GetState<ModelsSlice>,
  daemon: DaemonClient,
): ModelsSlice {
  let asked = new AbortController();
  return {
    modelsAsked: '',
    modelPage: null,
    model: null,
    async loadModels(text) {
      // Only the answer to the last question counts.
      asked.abort();
      asked = new AbortController();
      const { signal } = asked;
      set({ modelsAsked: text });
      const { task, license, accelerator, engine, author, ...rest } = parseModelQuery(text);
      const query = { task, license, accelerator, engine, author, ...rest, limit: PAGE_MODELS };
      await load(
        () => daemon.call('listModels', { query, signal }),
        (next) => set(({ modelPage }) => (signal.aborted ? {} : { modelPage: next(modelPage) })),
      );
    },
    loadModel: (id) => {
      const [author = '', model = ''] = id.split('/');
      return load(
        () => daemon.call('getModel', { params: { author, model } }),
        (next) => {
          const before = get().model;
          const detail = next(before?.id === id ? before.detail : null);
          // Another model may be looked at by the time that this one's answer is here.
          if (detail.state === 'loading' || before?.id === id) set({ model: { id, detail } });
        },
      );
    },
  };
}
