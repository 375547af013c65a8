import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import type { RunnerOptions } from '../../llama-runner/runner-options.ts';
import { pathExists } from '../../shared/async/succeeds.ts';
import type { Clock } from '../../shared/clock.ts';
import type { ForkNode } from '../../shared/processes/fork-node.ts';
import type { EndpointParts } from '../description/endpoint-parts.ts';
import {
  type EndpointRuntime,
  ggufFiles,
  type ModelNeed,
  type ReplicaSpec,
  type Unsuitable,
} from '../runtime/endpoint-runtime.ts';
import { ReplicaProcess } from '../runtime/replica-process.ts';
import { replicaEnvironment } from './replica-environment.ts';
import { unsuitableForLlamacpp } from './unsuitable-text.ts';

interface BundledRuntimeDeps {
  /** The version of node-llama-cpp. */
  readonly version: string;
  /** The file of the runner. */
  readonly program: string;
  readonly forkNode: ForkNode;
  readonly childEnvironment: () => Readonly<Record<string, string>>;
  /** Why models can use no graphics card; null: they can. */
  readonly noCard: () => Unsuitable | null;
  readonly clock: Clock;
}

/** The runner that comes with the product: a model answers without anything else installed. It has fewer features. */
export class BundledRuntime implements EndpointRuntime {
  readonly label: string;
  readonly outlivesDaemon = false;
  readonly cardPlace = 'needed';
  readonly #deps: BundledRuntimeDeps;

  constructor(deps: BundledRuntimeDeps) {
    this.#deps = deps;
    this.label = `bundled llama.cpp (node-llama-cpp ${deps.version})`;
  }

  unsuitable(parts: EndpointParts): Unsuitable | null {
    const general = unsuitableForLlamacpp(parts);
    if (general !== null) return general;
    const noCard = parts.compute.accelerator === 'gpu' ? this.#deps.noCard() : null;
    if (noCard !== null) return noCard;
    const feature = missingFeature(parts);
    if (feature === null) return null;
    return { problem: `The bundled llama.cpp ${feature}.`, action: 'Install llama-server for it.' };
  }

  modelNeed(): ModelNeed {
    return 'gguf';
  }

  /**
   * Honours modelPath, ctxSize, nGpuLayers, nParallel, mode, pooling and some chat templates of the image. `threadsHttp` is
   * not used, since it answers on one thread. All else that is set makes it unsuitable.
   */
  async start(spec: ReplicaSpec): Promise<ReplicaProcess> {
    const { program, forkNode, childEnvironment, clock } = this.#deps;
    const { socketPath, card, onLine } = spec;
    const { env, notes } = replicaEnvironment(childEnvironment(), spec.variables, card);
    const child = await forkNode(program, [JSON.stringify(runnerOptions(spec))], { env });
    return new ReplicaProcess(child, { clock, socketPath, env, notes, onLine, usesCard: card !== null });
  }
}

/** The runner's own limit; see llama-runner/runner-options.ts. */
const MAX_PARALLEL = 64;

/** The chat templates that the runner knows; its options compile only with these. */
const CHAT_TEMPLATES: Readonly<Record<NonNullable<RunnerOptions['chatTemplate']>, true>> = {
  chatml: true,
  llama3: true,
};

const isKnown = (name: string): name is keyof typeof CHAT_TEMPLATES => Object.hasOwn(CHAT_TEMPLATES, name);

/** A feature that the endpoint needs and the runner lacks, as the rest of a sentence; null: none. */
function missingFeature({ model }: EndpointParts): string | null {
  const { mmprojModelPath, specModelPath, pooling, mode, nParallel, chatTemplate } = model.image.llamacpp ?? {};
  if (mmprojModelPath) return 'reads no images (mmprojModelPath)';
  if (specModelPath) return 'uses no draft model (specModelPath)';
  if (pooling === 'rank' && mode !== 'reranking') return 'ranks only in the mode reranking';
  if (chatTemplate && !isKnown(chatTemplate)) return `knows no chat template ${chatTemplate}`;
  if ((nParallel ?? 0) > MAX_PARALLEL) return `answers at most ${MAX_PARALLEL} requests at the same time (nParallel)`;
  if (model.args?.length) return 'takes no arguments (args)';
  const names = [...Object.keys(model.env), ...Object.keys(model.secrets)];
  const argument = names.find((name) => /^LLAMA_ARG_/i.test(name));
  return argument === undefined ? null : `takes no arguments (${argument})`;
}

export function runnerOptions({
  parts,
  model,
  socketPath,
  threads,
  card,
}: Pick<ReplicaSpec, 'parts' | 'model' | 'socketPath' | 'threads' | 'card'>): RunnerOptions {
  const { ctxSize, nGpuLayers, nParallel, mode, pooling, chatTemplate } = parts.model.image.llamacpp ?? {};
  return {
    socketPath,
    modelPath: ggufFiles(model).modelPath,
    alias: parts.model.repository,
    ctxSize: ctxSize || null,
    parallel: nParallel || null,
    mode: mode ?? 'generation',
    pooling: pooling === 'rank' ? null : (pooling ?? null),
    chatTemplate: chatTemplate && isKnown(chatTemplate) ? chatTemplate : null,
    threads,
    card: card && { layers: nGpuLayers || null, maxBytes: card.freeBytes },
  };
}

/** The packages of node-llama-cpp with native code that needs no graphics card, or on macOS with Metal. */
const NATIVE: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'linux-arm': 'linux-armv7l',
  'darwin-arm64': 'mac-arm64-metal',
  'darwin-x64': 'mac-x64',
  'win32-x64': 'win-x64',
  'win32-arm64': 'win-arm64',
};

const Package = z.object({ version: z.string() });

/** The archive for npm comes without the runner: its packages take 120 MB. */
const NOT_INCLUDED =
  'This installation comes without it. It runs models of llama.cpp with llama-server or in containers.';

/**
 * Looks for node-llama-cpp and its native package where a program would find them, without loading either.
 * @param program the path of the program that imports them
 * @returns the version, or the reason why they cannot be used, a sentence
 */
export async function bundledPackage(
  program: string,
  platform: NodeJS.Platform,
  arch: string,
): Promise<{ readonly version: string } | { readonly problem: string }> {
  const native = NATIVE[`${platform}-${arch}`];
  if (native === undefined) return { problem: `There is no bundled llama.cpp for ${platform} on ${arch}.` };
  if (!(await pathExists(program))) return { problem: NOT_INCLUDED };
  const [version, hasNative] = await Promise.all([
    versionOf('node-llama-cpp', program),
    versionOf(`@node-llama-cpp/${native}`, program),
  ]);
  if (version === null || hasNative === null) {
    const missing = version === null ? 'node-llama-cpp' : `@node-llama-cpp/${native}`;
    return { problem: `The package ${missing} is not installed. Install Robot Desktop again.` };
  }
  return { version };
}

async function versionOf(name: string, program: string): Promise<string | null> {
  for (let folder = dirname(program); ; folder = dirname(folder)) {
    const text = await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8').catch(() => null);
    if (text !== null) return Package.parse(JSON.parse(text)).version;
    if (folder === dirname(folder)) return null;
  }
}
