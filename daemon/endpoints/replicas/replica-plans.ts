import { randomBytes } from 'node:crypto';
import type { CardProblem } from '../../contract/compute/graphics-cards.ts';
import type { EndpointRef } from '../../contract/endpoints/endpoint.ts';
import { endpointId } from '../../contract/endpoints/endpoint-id.ts';
import type { EndpointModel } from '../../contract/endpoints/endpoint-model.ts';
import type { EndpointFailure, EndpointProgress } from '../../contract/endpoints/endpoint-report.ts';
import type { LocalModel, ModelFiles } from '../../model-files/model-files.ts';
import { settlesWithin } from '../../shared/async/settles-within.ts';
import type { Clock } from '../../shared/clock.ts';
import type { EndpointParts } from '../description/endpoint-parts.ts';
import { llamaWords } from '../description/llama-arguments.ts';
import { modelSource } from '../description/model-source.ts';
import { EndpointFailed } from '../failures/endpoint-failed.ts';
import { CardPlacement, type CardPlacementDeps } from '../preparation/card-placement.ts';
import { leastMemoryBytes, requireMemory } from '../preparation/memory-check.ts';
import { ownNumber, slotsOf, withSlots } from '../preparation/slots.ts';
import { StartReport, startSteps } from '../preparation/start-report.ts';
import { type EndpointRecord, refOf } from '../records/endpoint-record.ts';
import type { OpenSecrets } from '../records/endpoint-secrets.ts';
import type { EndpointRuntime, ModelNeed, NoRuntime, PreparedModel, ReplicaSpec } from '../runtime/endpoint-runtime.ts';
import type { SocketFolder } from './socket-folder.ts';

/** The longest wait for a guardian. A model starts without one too. */
const GUARD_MS = 2_000;

/** The other replicas of an endpoint, also those of an earlier version. */
interface OtherReplicas {
  /** The slots of one that is still in memory and goes once the next one is there; 0: none. */
  readonly replacedSlots: () => number;
  /** Whether one of them serves on the graphics card. */
  readonly serveOnCard: () => boolean;
}

export type PlanReplicas = (record: EndpointRecord, others: OtherReplicas) => ReplicaSetPlan;

/** All that the replicas of a set need to start. */
export interface ReplicaSetPlan {
  /** Of the endpoint, for the log. */
  readonly id: string;
  /** The parts as they run: with the processor as accelerator where the graphics card cannot be used. */
  readonly parts: () => EndpointParts;
  /** Chooses the program, then puts the model's files on the disk and checks them. @throws EndpointFailed */
  readonly prepare: (
    signal: AbortSignal,
    onProgress: (progress: EndpointProgress) => void,
  ) => Promise<{ readonly runtime: EndpointRuntime; readonly model: PreparedModel }>;
  /**
   * Decides how a replica is started, and gives it its place on the graphics card. `slots`: the requests that it answers at
   * the same time; null: its program decides.
   * @param onWait called when it waits for another model that starts on the card, and again with false once it does not
   * @returns null: the card cannot be used, so that it is to be prepared again, for the processor. Else the caller ends
   * `spec.card` once the replica is gone
   * @throws EndpointFailed, the reason of the signal
   */
  readonly start: (
    model: PreparedModel,
    signal: AbortSignal,
    onWait: (waits: boolean) => void,
  ) => Promise<{ readonly spec: Omit<ReplicaSpec, 'onLine'>; readonly slots: number | null } | null>;
  /** A replica has loaded its model. */
  readonly loaded: () => Promise<void>;
  /** What to do about a replica that ended by itself. @throws EndpointFailed when another one would fail in the same way */
  readonly ended: (cause: EndpointFailure) => Promise<'restart' | 'restart-on-processor'>;
  readonly threads: number;
  /** The memory of this machine that its replicas could take now, in bytes; null: unknown, or it is that of a graphics card. */
  readonly availableBytes: () => number | null;
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
  readonly cards: CardPlacementDeps['cards'];
  readonly places: CardPlacementDeps['places'];
  /** Keeps why an endpoint runs on the processor instead of the card; null: it does not. Never rejects. */
  readonly placed: (of: EndpointRef, notOnCard: CardProblem | null) => Promise<void>;
  readonly models: Pick<ModelFiles, 'ensure' | 'ensureRepository' | 'check'>;
  /** Of this version of the endpoint: replicas of an earlier one may be started again. */
  readonly secretsOf: (record: EndpointRecord) => Promise<OpenSecrets>;
  /** Keeps whether the file of a model has a chat template. Never rejects. */
  readonly foundChatTemplate: (of: EndpointRef, parts: EndpointParts, bringsChatTemplate: boolean) => Promise<void>;
  readonly sockets: Pick<SocketFolder, 'pathFor'>;
  readonly threads: number;
  /** The memory that a model could take now, in bytes; null: unknown. */
  readonly availableBytes: () => number | null;
  /** The memory of this machine for models, in bytes. */
  readonly capacityBytes: () => number;
  readonly clock: Clock;
}

/** @returns a function that plans the replicas of an endpoint */
export function replicaPlans(deps: ReplicaPlansDeps): PlanReplicas {
  const { guard, requireRoom, runtimeFor, models, secretsOf, foundChatTemplate, sockets, threads, clock } = deps;
  const { cards, places, placed, availableBytes, capacityBytes } = deps;
  return (record, others) => {
    const { endpoint, hasServed, servedInContainer } = record;
    const of = refOf(record);
    const id = endpointId(of);
    const { model } = endpoint;
    const placement = new CardPlacement(record, {
      ...{ cards, places, othersServe: others.serveOnCard, onPlaced: (notOnCard) => placed(of, notOnCard) },
      runtimeFor: (parts) => runtimeFor(parts, { servedInContainer }),
    });
    const isOnCard = () => placement.parts.compute.accelerator === 'gpu';
    let wasPrepared = false;
    return {
      id,
      parts: () => placement.parts,
      prepare: async (signal, onProgress) => {
        const runtime = await placement.runtime();
        const { parts } = placement;
        await requireRoom();
        const need = runtime.modelNeed(parts);
        const pulls = runtime.fetch !== undefined;
        const steps = startSteps(parts, { pulls, need, warmsUp: isOnCard() && need === 'gguf' && !pulls });
        using report = new StartReport(clock, steps, onProgress);
        if (runtime.fetch) {
          const { imagePassword } = await secretsOf(record);
          await runtime.fetch({ parts, imagePassword, signal, report });
        }
        const keepsVersion = hasServed || wasPrepared;
        const prepared = await prepareModel(parts, need, { keepsVersion, models, signal, report });
        wasPrepared = true;
        if (prepared.kind === 'gguf') await foundChatTemplate(of, endpoint, prepared.files.facts.hasChatTemplate);
        if (prepared.kind === 'gguf' && !isOnCard()) {
          requireMemory(leastMemoryBytes(prepared.files.facts, cacheOf(model)), availableBytes());
        }
        if (runtime.outlivesDaemon) await settlesWithin(clock, GUARD_MS, guard());
        return { runtime, model: prepared };
      },
      start: async (prepared, signal, onWait) => {
        const variables = { ...model.env, ...(await secretsOf(record)).variables };
        const own = randomBytes(4).toString('hex');
        const socketPath = await sockets.pathFor(own);
        // Last: nothing may fail any more while the place is held.
        const card = await placement.place(signal, onWait);
        if (card === 'on-processor') return null;
        const slots =
          prepared.kind === 'gguf'
            ? slotsOf(model, prepared.files.facts, card?.freeBytes ?? capacityBytes(), others.replacedSlots())
            : null;
        const parts = withSlots(placement.parts, slots);
        const spec = { id: own, endpoint: id, parts, model: prepared, variables, socketPath, threads, card };
        return { spec, slots: slots?.count ?? null };
      },
      loaded: () => placement.loaded(),
      ended: (cause) => placement.ended(cause),
      threads,
      // A graphics card has memory of its own, which the server fits the model to.
      availableBytes: () => (isOnCard() ? null : availableBytes()),
    };
  };
}

/** The key-value cache of a model: as its arguments say, which win, or as its image says. */
function cacheOf({ args, env, image }: EndpointModel): Parameters<typeof leastMemoryBytes>[1] {
  const size = ownNumber(args, ['-c', '--ctx-size']) ?? image.llamacpp?.ctxSize;
  const hasOwnType =
    llamaWords(args).some((word) => /^(?:-ctk|-ctv|--cache-type-[kv])$/.test(word)) ||
    Object.keys(env).some((name) => /^LLAMA_ARG_CACHE_TYPE_[KV]$/i.test(name));
  return { ctxSize: size || null, hasOwnType };
}

interface Preparation extends Pick<ReplicaPlansDeps, 'models'> {
  /** A model that has served starts again as it was: another version would be another model. */
  readonly keepsVersion: boolean;
  readonly signal: AbortSignal;
  readonly report: StartReport;
}

/**
 * Puts a model on the disk as its runtime needs it, and checks it.
 * @throws EndpointFailed, HubError, ModelFileError, the reason of the signal
 */
async function prepareModel(parts: EndpointParts, need: ModelNeed, preparation: Preparation): Promise<PreparedModel> {
  switch (need) {
    case 'nothing':
      return { kind: 'nothing' };
    case 'gguf':
      return { kind: 'gguf', files: await prepareGguf(parts, preparation) };
    case 'repository': {
      const { repository, revision } = parts.model;
      const wanted = { repository, revision, prefersCopy: preparation.keepsVersion };
      const { folder } = await preparation.models.ensureRepository(wanted, workOf(preparation));
      return { kind: 'repository', folder };
    }
  }
}

async function prepareGguf(parts: EndpointParts, preparation: Preparation): Promise<LocalModel> {
  const { keepsVersion, models, signal, report } = preparation;
  const source = modelSource(parts);
  if (source.source === 'none') {
    const action = 'Change the paths in the endpoint.';
    throw new EndpointFailed({ reason: 'invalid-setting', message: source.problem, action });
  }
  if (source.source === 'own') {
    const { model: modelPath, mmproj: mmprojPath, draft: draftPath } = source;
    report.at('verify');
    const facts = await models.check(modelPath, { signal });
    for (const path of [mmprojPath, draftPath]) if (path !== null) await models.check(path, { signal });
    return { modelPath, mmprojPath, draftPath, facts };
  }
  const { source: _, ...wanted } = source;
  return models.ensure({ ...wanted, prefersCopy: keepsVersion }, workOf(preparation));
}

function workOf({ signal, report }: Preparation): Parameters<ModelFiles['ensure']>[1] {
  return {
    signal,
    onProgress: ({ phase, doneBytes, totalBytes }) => {
      if (phase === 'download') report.downloaded('download', doneBytes, totalBytes);
      else report.at('verify');
    },
  };
}
