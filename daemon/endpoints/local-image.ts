import type { Catalog } from '../catalog/catalog.ts';
import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import { type ComputeOffer, LOCAL_VENDOR } from '../catalog/compute/compute-offer.ts';
import { CatalogUnavailable } from '../catalog/errors.ts';
import { selectRecipe } from '../catalog/selection/recipe-selection.ts';
import type { EndpointImage } from '../contract/endpoints/endpoint-image.ts';
import type { EndpointRequest } from '../contract/endpoints/endpoint-request.ts';
import { HubError } from '../hub/errors.ts';
import type { HubClient } from '../hub/hub-client.ts';
import type { HubFile } from '../hub/repository-files.ts';
import { modelsOf } from '../model-files/choose-files.ts';
import { InvalidBody } from '../shared/invalid-input.ts';
import { imageOf, REPOSITORY } from './description/engine-image.ts';
import { completeImage, HEALTH_ROUTE } from './description/model-rules.ts';
import { taskUses } from './description/task-use.ts';

interface LocalImageDeps {
  readonly catalog: { load(): Promise<Catalog> };
  readonly hub: Pick<HubClient, 'resolveModel' | 'files'>;
}

/** The quantization that is chosen among several: it loses little, and every program that makes .gguf files offers it. */
const USUAL = /q4_k_m/i;

const OWN_IMAGE = 'You can send an image that serves it, such as `llamacpp` or `custom`.';

/**
 * Chooses the image of a model on this machine where a client leaves it to the service, by the image `hub`: that of the
 * catalog's recipe, else llama.cpp for a repository with .gguf files (of several models the one of Q4_K_M, else the
 * smallest), else an engine in a container.
 * @param offer the place
 * @returns `hub` where the hub does not show the files now: the start reports it
 * @throws InvalidBody when nothing here can serve it, or the hub does not have it
 */
export async function localImage(
  model: EndpointRequest['model'],
  offer: ComputeOffer,
  { catalog, hub }: LocalImageDeps,
): Promise<EndpointImage> {
  const { accelerator } = offer;
  const entry = await entryOf(model.repository, catalog);
  if (entry) {
    const selection = selectRecipe(entry, { accelerator }, [offer]);
    if (selection.outcome === 'chosen') return imageOf({ entry, ...selection });
  }
  const files = await filesOf(model, hub);
  if (files === null) return model.image;
  const use = taskUses[model.task ?? 'custom'];
  if (!use) throw refused('image', `This machine has no engine for the task ${model.task}. ${OWN_IMAGE}`);
  const models = modelsOf(files);
  const engine = models.length > 0 ? 'llamacpp' : use === 'generation' ? 'vllm' : 'tei';
  const lack = offer.lacks?.engines[engine]?.sentence;
  if (engine === 'llamacpp' && lack !== undefined) throw refused('image', lack);
  if (!offer.engines?.includes(engine) || lack !== undefined) throw noImage(model.repository, lack);
  const container = { url: `engines/${engine}:${accelerator}`, healthRoute: HEALTH_ROUTE };
  if (engine === 'tei') return { tei: container };
  if (engine === 'vllm') return { vLLM: container };
  const mode = use === 'generation' ? {} : { mode: use };
  return completeImage({ llamacpp: { ...container, ...fileAmong(models), ...mode } });
}

/** @returns null also where the catalog cannot be read: the hub is asked then */
async function entryOf(repository: string, catalog: LocalImageDeps['catalog']): Promise<CatalogEntry | null> {
  const [author = '', name = ''] = repository.split('/');
  try {
    return (await catalog.load()).find(author, name) ?? null;
  } catch (error) {
    if (error instanceof CatalogUnavailable) return null;
    throw error;
  }
}

/** @returns null: the hub does not answer now @throws InvalidBody when it does not have them for this account */
async function filesOf(
  { repository, revision = null }: EndpointRequest['model'],
  hub: LocalImageDeps['hub'],
): Promise<readonly HubFile[] | null> {
  const { signal } = new AbortController(); // the hub's requests have deadlines of their own
  try {
    const commit = await hub.resolveModel(repository, revision, signal);
    return await hub.files({ type: 'model', id: repository }, commit, signal);
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    if (error.kind !== 'not-found' && error.kind !== 'auth') return null;
    throw refused('repository', `${error.message} ${error.action}`);
  }
}

/** @param models of a repository, the files of each; not empty */
function fileAmong(models: readonly (readonly HubFile[])[]): { modelPath: string; variant?: string } {
  if (models.length === 1) return { modelPath: REPOSITORY, variant: '*.gguf' };
  const bytesOf = (files: readonly HubFile[]) => files.reduce((sum, { size }) => sum + size, 0);
  const bySize = models.toSorted((a, b) => bytesOf(a) - bytesOf(b));
  const chosen = bySize.find(([first]) => USUAL.test(first?.path ?? '')) ?? bySize[0];
  return { modelPath: `${REPOSITORY}/${chosen?.[0]?.path}` };
}

/** Whether a request leaves the image to this machine. */
export function leavesImage(provider: EndpointRequest['provider'], image: EndpointImage | undefined): boolean {
  return provider.vendor === LOCAL_VENDOR && image !== undefined && 'hub' in image;
}

function noImage(repository: string, lack: string | undefined): InvalidBody {
  const message = [
    `Nothing on this machine serves ${repository} by itself: it has no .gguf file.`,
    ...(lack === undefined ? [] : [lack]),
    `Choose a repository with a .gguf file. ${OWN_IMAGE}`,
  ];
  return refused('image', message.join(' '));
}

function refused(field: 'repository' | 'image', message: string): InvalidBody {
  return new InvalidBody(message, [{ path: ['model', field], message }]);
}
