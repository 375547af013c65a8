import { basename } from 'node:path';
import type { GgufFacts } from '../../contract/model-files/model-files.ts';
import { llamacpp, PROMPT_CACHE_MIB } from '../containers/variants/llamacpp.ts';
import { settingsOf } from '../containers/variants/variants.ts';
import { readLlamaArguments } from '../description/llama-arguments.ts';
import { ggufFiles, type ReplicaSpec } from '../runtime/endpoint-runtime.ts';
import type { LlamaServerCapabilities } from './llama-server-capabilities.ts';

/** They share the memory of the processor: without layers on them nothing is taken. */
const SHARED_MEMORY_DEVICE = /^(MTL|Metal)/;

/**
 * The command line of llama-server for one replica, to be run in the folder of the model: /props shows the path of the
 * model to every caller, so it must not say where this user's files are. The endpoint's own arguments come last, so that
 * they win.
 *
 * Fields of the image that have no argument: `url` names a container image, and this program is used instead; `port` is
 * not used, since the server listens on a Unix socket; `healthRoute` is the gateway's, and llama-server's own is always
 * /health; `variant` chose the file when the model was downloaded.
 */
export function llamaServerArguments(
  {
    parts,
    model: prepared,
    socketPath,
    threads,
    card,
  }: Pick<ReplicaSpec, 'parts' | 'model' | 'socketPath' | 'threads' | 'card'>,
  capabilities: LlamaServerCapabilities,
): string[] {
  const image = parts.model.image.llamacpp;
  if (!image) throw new Error('llama-server runs llamacpp images only');
  const model = ggufFiles(prepared);
  const { options, specTypes, devices, hidesLoading } = capabilities;
  const args = ['--model', basename(model.modelPath), '--host', socketPath, '--alias', parts.model.repository];
  const addIfKnown = (...words: [option: string, ...values: string[]]) => {
    if (options.has(words[0])) args.push(...words);
  };
  args.push('--threads', String(threads), '--threads-batch', String(threads));
  const isProcessorOnly = parts.compute.accelerator === 'cpu';
  if (isProcessorOnly && devices.some((device) => !SHARED_MEMORY_DEVICE.test(device))) addIfKnown('--device', 'none');
  if (card?.card.device) addIfKnown('--device', card.card.device);
  if (!isProcessorOnly && hidesLoading) addIfKnown('--verbosity', '4');
  // Where it reads templates as Jinja, it takes a name for the text of one, and every chat becomes that text.
  if (image.chatTemplate) addIfKnown('--no-jinja');
  const { mode, ...settings } = llamacpp.settings;
  const members = {
    ...image,
    pooling: poolingOf(image, model.facts.pooling),
    nGpuLayers: isProcessorOnly && devices.length > 0 ? 0 : image.nGpuLayers,
    // The environment leaves it the chosen one alone, of those of Vulkan.
    mainGpu: card !== null && devices.every((device) => device.startsWith('Vulkan')) ? null : image.mainGpu,
  };
  args.push(...settingsOf({ settings }, members).args, ...settingsOf({ settings: { mode } }, members).args);
  if (model.mmprojPath !== null) args.push('--mmproj', model.mmprojPath);
  if (model.draftPath !== null) {
    args.push('--model-draft', model.draftPath);
    // Newer versions have several kinds, and by default none.
    if (specTypes.includes('draft-simple')) args.push('--spec-type', 'draft-simple');
  }
  // Nothing but the model's interface is served, and nothing downloaded.
  addIfKnown('--offline');
  addIfKnown(options.has('--no-ui') ? '--no-ui' : '--no-webui');
  addIfKnown('--no-slots');
  addIfKnown('--cache-ram', String(PROMPT_CACHE_MIB));
  return [...args, ...readLlamaArguments(parts.model.args ?? []).words];
}

/** Without a pooling, llama-server refuses embeddings with 400. @param ofFile the pooling that the model's file names */
export function poolingOf(
  { mode, pooling }: { readonly mode?: string | null | undefined; readonly pooling?: string | null | undefined },
  ofFile: GgufFacts['pooling'],
): string | null {
  const hasNone = ofFile === null || ofFile === 'none';
  return pooling ?? (mode === 'embeddings' && hasNone ? 'mean' : null);
}
