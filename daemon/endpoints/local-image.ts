import type { Catalog } from '../catalog/catalog.ts';
import { type ComputeOffer, LOCAL_VENDOR } from '../catalog/compute/compute-offer.ts';
import { defaultPolicy, selectRecipe } from '../catalog/selection/recipe-selection.ts';
import type { EndpointImage } from '../contract/endpoints/endpoint-image.ts';
import type { EndpointRequest } from '../contract/endpoints/endpoint-request.ts';
import { HubError } from '../hub/errors.ts';
import type { HubClient } from '../hub/hub-client.ts';
import { InvalidBody } from '../shared/invalid-input.ts';
import { imageOf, REPOSITORY } from './description/engine-image.ts';
import { completeImage, HEALTH_ROUTE } from './description/model-rules.ts';

export interface LocalImageDeps {
  readonly catalog: { load(): Promise<Catalog> };
  readonly hub: Pick<HubClient, 'resolveModel' | 'files'>;
}

const embeddingTasks = new Set<string | null | undefined>([
  'feature-extraction',
  'sentence-similarity',
  'sentence-embeddings',
]);
const rankingTasks = new Set<string | null | undefined>(['text-ranking', 'sentence-ranking']);

/**
 * Chooses the image of a model on this machine where a client leaves it to the service, by the image `hub`: that of the
 * catalog's recipe, else llama.cpp for a repository with .gguf files, else an engine in a container.
 * @param offer the place
 * @returns `hub` where the repository cannot be looked at now: the start tells why
 * @throws InvalidBody when nothing here can serve it
 */
export async function localImage(
  model: EndpointRequest['model'],
  offer: ComputeOffer,
  { catalog, hub }: LocalImageDeps,
): Promise<EndpointImage> {
  const { repository, revision = null, task } = model;
  const [author = '', name = ''] = repository.split('/');
  const entry = (await catalog.load()).find(author, name);
  const { accelerator } = offer;
  if (entry) {
    const selection = selectRecipe(entry, { accelerator }, [offer], defaultPolicy);
    if (selection.outcome === 'chosen') return imageOf({ entry, ...selection });
  }
  const url = (engine: string) => ({ url: `engines/${engine}:${accelerator}`, healthRoute: HEALTH_ROUTE });
  const files = await filesOf(repository, revision, hub);
  if (files === null) return model.image;
  const [isEmbedding, isRanking] = [embeddingTasks.has(task), rankingTasks.has(task)];
  if (files.some(({ path }) => path.endsWith('.gguf'))) {
    const mode = isEmbedding ? { mode: 'embeddings' as const } : isRanking ? { mode: 'reranking' as const } : {};
    return completeImage({ llamacpp: { ...url('llamacpp'), modelPath: REPOSITORY, variant: '*.gguf', ...mode } });
  }
  const engine = isEmbedding || isRanking ? 'tei' : 'vllm';
  const lack = offer.lacks?.engines[engine]?.sentence;
  if (!offer.engines?.includes(engine) || lack !== undefined) throw noImage(repository, lack);
  return engine === 'tei' ? { tei: url('tei') } : { vLLM: url('vllm') };
}

/** @returns null: the hub does not tell */
async function filesOf(repository: string, revision: string | null, hub: LocalImageDeps['hub']) {
  const { signal } = new AbortController(); // the hub's requests have deadlines of their own
  try {
    const commit = await hub.resolveModel(repository, revision, signal);
    return await hub.files({ type: 'model', id: repository }, commit, signal);
  } catch (error) {
    if (error instanceof HubError) return null;
    throw error;
  }
}

/** Whether a request leaves the image to this machine. */
export function leavesImage(provider: EndpointRequest['provider'], image: EndpointImage | undefined): boolean {
  return provider.vendor === LOCAL_VENDOR && image !== undefined && 'hub' in image;
}

function noImage(repository: string, lack: string | undefined): InvalidBody {
  const message = [
    `Nothing on this machine serves ${repository} by itself: it has no .gguf file.`,
    ...(lack === undefined ? [] : [lack]),
    'Choose a repository with a .gguf file, or send the image of a container that serves it, such as `custom`.',
  ].join(' ');
  return new InvalidBody(message, [{ path: ['model', 'image'], message }]);
}
