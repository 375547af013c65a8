import type { EndpointModel } from '../../contract/endpoints/endpoint-model.ts';
import type { EndpointParts } from '../description/endpoint-parts.ts';
import { readLlamaArguments } from '../description/llama-arguments.ts';
import { EndpointFailed } from '../failures/endpoint-failed.ts';
import { leastMemoryBytes, requireMemory } from '../preparation/memory-check.ts';
import { modelSource } from '../preparation/model-source.ts';
import { type ModelSupply, prepareModel } from '../preparation/prepare-model.ts';
import type { EndpointRecord } from '../records/endpoint-record.ts';
import type { OpenSecrets } from '../records/endpoint-secrets.ts';
import type { EndpointRuntime } from '../runtime/endpoint-runtime.ts';
import type { ReplicaSetPlan } from './replica/replica-plan.ts';
import type { SocketFolder } from './socket-folder.ts';

export interface ReplicaPlansDeps {
  /** A replica that cannot be recorded would outlive a killed daemon. @throws StorageError when nothing can be saved */
  readonly requireRoom: () => Promise<void>;
  /** @returns the program that runs an endpoint, or in one sentence why there is none */
  readonly runtimeFor: (parts: EndpointParts) => Promise<EndpointRuntime | { readonly problem: string }>;
  readonly models: ModelSupply;
  readonly secretsOf: (name: string) => Promise<OpenSecrets>;
  readonly sockets: Pick<SocketFolder, 'pathFor'>;
  readonly threads: number;
  /** The memory that a model could take now, in bytes; null: unknown. */
  readonly availableBytes: () => number | null;
}

/** @returns a function that plans the replicas of an endpoint */
export function replicaPlans(deps: ReplicaPlansDeps): (record: EndpointRecord) => ReplicaSetPlan {
  const { requireRoom, runtimeFor, models, secretsOf, sockets, threads, availableBytes } = deps;
  return ({ endpoint, hasServed }) => {
    const { name, model, compute } = endpoint;
    let wasPrepared = false;
    return {
      name,
      parts: endpoint,
      runtime: async () => {
        const found = await runtimeFor(endpoint);
        if ('problem' in found) throw noRuntime(found.problem);
        return found;
      },
      prepare: async (signal, onProgress) => {
        await requireRoom();
        const how = { keepsVersion: hasServed || wasPrepared, models, signal, onProgress };
        const prepared = await prepareModel(modelSource(endpoint), how);
        wasPrepared = true;
        // A graphics card has memory of its own, which the server fits the model to.
        if (compute.accelerator === 'cpu') {
          requireMemory(leastMemoryBytes(prepared.facts, cacheOf(model)), availableBytes());
        }
        return { kind: 'gguf', files: prepared };
      },
      variables: async () => ({ ...model.env, ...(await secretsOf(name)).variables }),
      sockets,
      threads,
    };
  };
}

/** The key-value cache of a model: as its arguments say, which win, or as its image says. */
function cacheOf({ args, env, image }: EndpointModel): Parameters<typeof leastMemoryBytes>[1] {
  const words = readLlamaArguments(args ?? []).words.map((word) => word.replaceAll('_', '-'));
  const at = words.findLastIndex((word) => word === '-c' || word === '--ctx-size');
  const size = at === -1 ? image.llamacpp?.ctxSize : Number(words[at + 1]);
  const hasOwnType =
    words.some((word) => /^(?:-ctk|-ctv|--cache-type-[kv])$/.test(word)) ||
    Object.keys(env).some((name) => /^LLAMA_ARG_CACHE_TYPE_[KV]$/i.test(name));
  return { ctxSize: size || null, hasOwnType };
}

const noRuntime = (message: string) =>
  new EndpointFailed({
    reason: 'no-runtime',
    message,
    action: 'Deploy a recipe that this machine can run, or install what is missing; then resume it.',
  });
