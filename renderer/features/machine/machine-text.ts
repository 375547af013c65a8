import { byteText, byteTextOf } from '../../../daemon/contract/common/byte-text.ts';
import type { InstallableRuntime } from '../../../daemon/contract/endpoints/runtimes.ts';
import type { Job } from '../../../daemon/contract/jobs.ts';
import type { GgufFacts, ModelFile } from '../../../daemon/contract/model-files/model-files.ts';
import type { Choice } from '../../parts/forms/RadioList.tsx';
import type { StateText } from '../../parts/notes/progress-text.ts';

/** The newest install of a program that serves models. `jobs` are newest first. */
export const latestRuntimeInstall = (jobs: readonly Job[]): Job | undefined =>
  jobs.find(({ kind }) => kind === 'install-runtime');

/** `Downloads version b1 for graphics cards from example.org, 45 MB.` */
export function downloadText({ version, host, sizeBytes, usesCard }: InstallableRuntime): string {
  const parts = [
    version === null ? 'Downloads it' : `Downloads version ${version}`,
    usesCard !== null && (usesCard ? ' for graphics cards' : ' for the processor'),
    host !== null && ` from ${host}`,
    sizeBytes !== null && `, ${byteText(sizeBytes)}`,
  ];
  return `${parts.filter(Boolean).join('')}.`;
}

/** @param job the newest install; undefined: there was none */
export function installLabel({ replaces }: InstallableRuntime, job: Job | undefined): string {
  if (job?.state === 'failed') return 'Install llama-server again';
  return replaces ? 'Install llama-server for graphics cards' : 'Install llama-server';
}

export function fileStateText({ state, users }: ModelFile): StateText {
  switch (state) {
    case 'partial':
      return { word: 'incomplete', tone: 'busy' };
    case 'damaged':
      return { word: 'damaged', tone: 'failed' };
    default:
      return users.length > 0 ? { word: 'in use', tone: 'done' } : { word: 'not used', tone: 'idle' };
  }
}

/** `5.0 GB`, or of a partial file `1.2 of 5.0 GB`. */
export const fileSizeText = ({ state, bytes: here, totalBytes }: ModelFile): string =>
  state === 'partial' && totalBytes !== null ? byteTextOf(here, totalBytes) : byteText(here);

/** The last part of a path, of any system. */
export const fileName = (path: string): string => path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;

export type OwnFileUse = 'generation' | 'embeddings' | 'reranking';

/** The use that a file's header suggests. */
export function suggestedUse({ isClassifier, pooling, hasChatTemplate }: GgufFacts): OwnFileUse {
  if (isClassifier || pooling === 'rank') return 'reranking';
  return pooling !== null && pooling !== 'none' && !hasChatTemplate ? 'embeddings' : 'generation';
}

/** Why a file cannot be deployed by itself; null: it can. */
export const notDeployable = ({ architecture }: GgufFacts): string | null =>
  architecture === 'clip' ? 'This is only the vision part of a model: check the file of the model itself.' : null;

/** A valid name for an endpoint of a file: `Tiny_Model-Q4.gguf` as `tiny-model-q4`. */
export function endpointNameFor(path: string): string {
  const stem = fileName(path)
    .replace(/\.gguf$/i, '')
    .toLowerCase();
  return (
    stem
      .replaceAll(/[^a-z0-9]+/g, '-')
      .slice(0, 32)
      .replaceAll(/^-|-$/g, '') || 'own-model'
  );
}

/** The name of a file as a repository, which endpoints need: `own/Tiny_Model-Q4`. */
export function repositoryFor(path: string): string {
  const stem = fileName(path).replace(/\.gguf$/i, '');
  return `own/${stem.replaceAll(/[^\w.-]+/g, '-').slice(0, 100) || 'model'}`;
}

export const pathHelp = 'The full path, or drop the file here.';
/** In its place, where the field is disabled. */
export const signInToCheckText = 'Sign in to check a file.';
export const dropTitle = 'A page is not told where a dropped file is.';
export const noFilesText = 'None yet: a deploy from the catalog downloads its files once for all endpoints.';
export const inUseHelp = 'Delete the endpoints that use it first.';
export const containersText = 'Runs other engines, such as vLLM, SGLang and TEI.';

/** Why llama-server is offered. @param replaces whether one is here already */
export const installReason = (replaces: boolean): string =>
  replaces
    ? 'The llama-server that is here does not use the graphics card.'
    : 'It reads images and runs models that the bundled program does not.';
export const signInToInstallText = 'Sign in to install it.';
export const onlyBundledText = 'Only the bundled program uses the graphics card.';

/** The uses of a model file. */
export const ownFileUses = [
  { value: 'generation', label: 'Chat and text', description: 'It writes text.' },
  { value: 'embeddings', label: 'Embeddings', description: 'It turns text into vectors.' },
  { value: 'reranking', label: 'Reranking', description: 'It sorts texts by how well they answer a question.' },
] as const satisfies readonly Choice<OwnFileUse>[];
