import type { ModelDownloads } from '../../../daemon/contract/catalog/models.ts';
import { useAskedOfEndpoints } from '../../store/use-asked.ts';

/** Asks for the downloads of a model's recipes, and again when endpoints change: they download. Null: not known yet. */
export function useDownloads(id: string): ModelDownloads | null {
  const [author = '', model = ''] = id.split('/');
  return useAskedOfEndpoints<ModelDownloads>(['model', id, 'downloads'], (call, signal) =>
    call('getModelDownloads', { params: { author, model }, signal }),
  ).value;
}
