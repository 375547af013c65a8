import { randomBytes } from 'node:crypto';
import type { EndpointRef } from '../../contract/endpoints/endpoint.ts';
import { endpointId } from '../../contract/endpoints/endpoint-id.ts';
import type { EndpointModel } from '../../contract/endpoints/endpoint-model.ts';
import type { EndpointProgress } from '../../contract/endpoints/endpoint-report.ts';
import { settlesWithin } from '../../shared/async/settles-within.ts';
import type { Clock } from '../../shared/clock.ts';
import type { EndpointParts } from '../description/endpoint-parts.ts';
import { readLlamaArguments } from '../description/llama-arguments.ts';
import { EndpointFailed } from '../failures/endpoint-failed.ts';
import { leastMemoryBytes, requireMemory } from '../preparation/memory-check.ts';
import { type ModelSupply, prepareModel } from '../preparation/prepare-model.ts';
import { ownNumber, slotsOf, withSlots } from '../preparation/slots.ts';
import { StartReport, startSteps } from '../preparation/start-report.ts';
import { type EndpointRecord, refOf } from '../records/endpoint-record.ts';
import type { OpenSecrets } from '../records/endpoint-secrets.ts';
import type {
  EndpointRuntime,
  FetchProgress,
  NoRuntime,
  PreparedModel,
  ReplicaSpec,
} from '../runtime/endpoint-runtime.ts';
import type { SocketFolder } from './socket-folder.ts';

/** The longest wait for a guardian. A model starts without one too. */
const GUARD_MS = 2_000;

/** @param replacedSlots the slots of a replica that is still in memory and goes once the next one is there; 0: none */
export type PlanReplicas = (record: EndpointRecord, replacedSlots: () => number) => ReplicaSetPlan;

/** All that the replicas of a set need to start. */
export interface ReplicaSetPlan {
  /** Of the endpoint, for the log. */
  readonly id: string;
  readonly parts: EndpointParts;
  /** Chooses the program, then puts the model's files on the disk and checks them. @throws EndpointFailed */
  readonly prepare: (
    signal: AbortSignal,
    onProgress: (progress: EndpointProgress) => void,
  ) => Promise<{ readonly runtime: EndpointRuntime; readonly model: PreparedModel }>;
  /** Decides how a replica is started. */
  readonly start: (model: PreparedModel) => Promise<ReplicaStart>;
  readonly threads: number;
  /** The memory of this machine that its replicas could take now, in bytes; null: unknown, or it is that of a graphics card. */
  readonly availableBytes: () => number | null;
}

export interface ReplicaStart {
  readonly spec: Omit<ReplicaSpec, 'onLine'>;
  /** The requests that it answers at the same time; null: its program decides. */
  readonly slots: number | null;
}

export interface ReplicaPlansDeps {
  /** Sees to it that what a killed daemon leaves is ended, before each replica that would go on. Never rejects. */
  readonly guard: () => Promise<void>;
  /** A replica that cannot be recorded would outlive a killed daemon. @throws StorageError when nothing can be saved */
  readonly requireRoom: () => Promise<void>;
  /**
   * @param how `servedInContainer`: whether it served in a container when it was ready last
   * @returns the program that runs an endpoint, or why there is none
   */
  readonly runtimeFor: (
    parts: EndpointParts,
    how: { readonly servedInContainer: boolean },
  ) => Promise<EndpointRuntime | NoRuntime>;
  readonly models: ModelSupply;
  /** Of this version of the endpoint: replicas of an earlier one may be started again. */
  readonly secretsOf: (record: EndpointRecord) => Promise<OpenSecrets>;
  /** Keeps whether the file of a model has a chat template. Never rejects. */
  readonly foundChatTemplate: (of: EndpointRef, parts: EndpointParts, bringsChatTemplate: boolean) => Promise<void>;
  readonly sockets: Pick<SocketFolder, 'pathFor'>;
  readonly threads: number;
  /** The memory that a model could take now, in bytes; null: unknown. */
  readonly availableBytes: () => number | null;
  /** The memory for models, of the machine or of its graphics cards, in bytes. */
  readonly capacityBytes: (accelerator: EndpointParts['compute']['accelerator']) => Promise<number>;
  readonly clock: Clock;
}

/** @returns a function that plans the replicas of an endpoint */
export function replicaPlans(deps: ReplicaPlansDeps): PlanReplicas {
  const { guard, requireRoom, runtimeFor, models, secretsOf, foundChatTemplate, sockets, threads, clock } = deps;
  const { availableBytes, capacityBytes } = deps;
  return (record, replacedSlots) => {
    const { endpoint, hasServed, servedInContainer } = record;
    const of = refOf(record);
    const id = endpointId(of);
    const { model, compute } = endpoint;
    let wasPrepared = false;
    return {
      id,
      parts: endpoint,
      prepare: async (signal, onProgress) => {
        const runtime = await runtimeFor(endpoint, { servedInContainer });
        if ('problem' in runtime) throw noRuntime(runtime);
        await requireRoom();
        const need = runtime.modelNeed(endpoint);
        const steps = startSteps(endpoint, { pulls: runtime.fetch !== undefined, need });
        using report = new StartReport(clock, steps, onProgress);
        if (runtime.fetch) {
          const { imagePassword } = await secretsOf(record);
          await runtime.fetch({ parts: endpoint, imagePassword, signal, onProgress: (at) => showFetch(report, at) });
        }
        const keepsVersion = hasServed || wasPrepared;
        const prepared = await prepareModel(endpoint, need, { keepsVersion, models, signal, report });
        wasPrepared = true;
        if (prepared.kind === 'gguf') await foundChatTemplate(of, endpoint, prepared.files.facts.hasChatTemplate);
        if (prepared.kind === 'gguf' && compute.accelerator === 'cpu') {
          requireMemory(leastMemoryBytes(prepared.files.facts, cacheOf(model)), availableBytes());
        }
        if (runtime.outlivesDaemon) await settlesWithin(clock, GUARD_MS, guard());
        return { runtime, model: prepared };
      },
      start: async (prepared) => {
        const slots =
          prepared.kind === 'gguf'
            ? slotsOf(model, prepared.files.facts, await capacityBytes(compute.accelerator), replacedSlots())
            : null;
        const variables = { ...model.env, ...(await secretsOf(record)).variables };
        const own = randomBytes(4).toString('hex');
        const socketPath = await sockets.pathFor(own);
        const parts = withSlots(endpoint, slots);
        const spec = { id: own, endpoint: id, parts, model: prepared, variables, socketPath, threads };
        return { spec, slots: slots?.count ?? null };
      },
      threads,
      // A graphics card has memory of its own, which the server fits the model to.
      availableBytes: () => (compute.accelerator === 'cpu' ? availableBytes() : null),
    };
  };
}

/** The key-value cache of a model: as its arguments say, which win, or as its image says. */
function cacheOf({ args, env, image }: EndpointModel): Parameters<typeof leastMemoryBytes>[1] {
  const words = readLlamaArguments(args ?? []).words.map((word) => word.replaceAll('_', '-'));
  const size = ownNumber(args, ['-c', '--ctx-size']) ?? image.llamacpp?.ctxSize;
  const hasOwnType =
    words.some((word) => /^(?:-ctk|-ctv|--cache-type-[kv])$/.test(word)) ||
    Object.keys(env).some((name) => /^LLAMA_ARG_CACHE_TYPE_[KV]$/i.test(name));
  return { ctxSize: size || null, hasOwnType };
}

function showFetch(report: StartReport, { step, doneBytes, totalBytes, detail }: FetchProgress): void {
  if (doneBytes === null) report.at(step, detail);
  else report.downloaded(step, doneBytes, totalBytes);
}

const noRuntime = ({ problem, action, reason }: NoRuntime) =>
  new EndpointFailed({ reason, message: problem, action: `${action} Then resume the endpoint.` });
