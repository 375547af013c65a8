import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ComputeAccelerator, Scaling } from '../../contract/compute/endpoint-compute.ts';
import type { GgufFacts } from '../../contract/model-files/model-files.ts';
import { defaultScaling } from '../../endpoints/description/scaling-rules.ts';
import type { EndpointRecord } from '../../endpoints/records/endpoint-record.ts';
import { replicaPlans } from '../../endpoints/replicas/replica-plans.ts';
import { Supervisor } from '../../endpoints/supervisor.ts';
import type { CardPlaces } from '../../graphics-cards/card-places.ts';
import type { SecretStore } from '../../shared/files/secret-store.ts';
import { createLogger } from '../../shared/logger.ts';
import { manualClock } from '../manual-clock.ts';
import { noCardPlaces } from './no-graphics-cards.ts';
import { type ScriptedRuntime, scriptedRuntime } from './scripted-runtime.ts';
import { backwards, endpointsIn, partsNamed, somebody } from './some-endpoints.ts';
import { tinyFacts } from './tiny-facts.ts';

/** The endpoint that is supervised. */
export const CHAT = { namespace: 'me', name: 'chat' };
const never = new AbortController().signal;
const notAsked = () => Promise.reject(new Error('not asked'));
const imageWith = (ctxSize?: number) => ({
  llamacpp: { url: 'engines/llamacpp:cpu', modelPath: '/models/tiny.gguf', ...(ctxSize && { ctxSize }) },
});

/** The settings of a supervised endpoint that a test chooses. */
export interface Given {
  readonly folder?: string;
  readonly scaling?: Partial<Scaling>;
  readonly accelerator?: ComputeAccelerator;
  readonly runtime?: ScriptedRuntime;
  readonly check?: () => Promise<GgufFacts>;
  readonly secrets?: SecretStore;
  /** US dollars an hour; null: unknown. */
  readonly price?: { perHour: number | null };
  /** The memory that a model could take now, in bytes. */
  readonly availableBytes?: () => number;
  /** The memory for models, which decides the number of slots, in bytes. */
  readonly capacityBytes?: () => number;
  /** Of the context, in tokens; absent: not set. */
  readonly ctxSize?: number;
  /** Gives places on graphics cards; absent: there are none. */
  readonly places?: Pick<CardPlaces, 'take'>;
  /** Whether it may run on the processor where the card cannot be used. */
  readonly mayUseProcessor?: boolean;
  /** Percent of the graphics cards in use; null: unknown. */
  readonly gpuUsage?: () => number | null;
}

/** An endpoint `chat` on a scripted runtime and a clock that the test moves. */
export async function superviseEndpoint({
  folder: given,
  scaling = {},
  accelerator = 'cpu',
  runtime = scriptedRuntime(),
  check = async () => tinyFacts,
  secrets = backwards,
  price = { perHour: 0 },
  availableBytes = () => 1e9,
  capacityBytes = () => 1e9,
  ctxSize,
  places = noCardPlaces.places,
  mayUseProcessor = false,
  gpuUsage = () => null,
}: Given = {}) {
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'supervisor-')));
  if (!given) onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const clock = manualClock(() => endpoints.close()); // it waits for writes
  const logged: string[] = [];
  const log = createLogger('warn', (line) => logged.push(line));
  const endpoints = endpointsIn(folder, { now: clock.now, log, secrets });
  const supervisor = new Supervisor({
    canMail: () => false,
    priceOf: async () => price.perHour,
    gpuUsage: async () => gpuUsage(),
    endpoints,
    planOf: replicaPlans({
      guard: async () => {},
      requireRoom: async () => {},
      runtimeFor: async () => runtime,
      models: { ensure: notAsked, ensureRepository: notAsked, check },
      secretsOf: (record) => endpoints.secretsOf(record),
      foundChatTemplate: (...found) => endpoints.foundChatTemplate(...found),
      sockets: { pathFor: async (id) => `/sockets/${id}.sock` },
      threads: 1,
      availableBytes,
      ...{ ...noCardPlaces, places, placed: (...placed) => endpoints.placed(...placed) },
      capacityBytes,
      clock,
    }),
    clock,
    publish: () => {},
    log,
  });
  await supervisor.start();
  onTestFinished(() => supervisor.close());
  const parts = partsNamed('chat', {
    model: { repository: 'ada/tiny', framework: 'llamacpp', image: imageWith(ctxSize), env: { LLAMA_A: 'b' } },
    experimentalFeatures: { skipRepoDownload: true, loadBalancer: 'least_connections' },
  });
  if (!given) {
    const compute = { ...parts.compute, accelerator, scaling: { ...defaultScaling, ...scaling } };
    await endpoints.create({
      ...{ namespace: 'me', parts: { ...parts, compute }, person: somebody, reasons: [], namePath: [] },
      mayUseProcessor,
    });
  }
  await clock.advance(1_000);
  const status = async () => (await endpoints.get('me', 'chat')).status;
  return {
    folder,
    clock,
    logged,
    endpoints,
    supervisor,
    runtime,
    status,
    state: async () => (await status()).state,
    report: () => supervisor.report(endpoints.record(CHAT) as EndpointRecord),
    life: () => (endpoints.record(CHAT)?.life ?? []).map(({ kind, cause }) => `${kind}: ${cause}`),
    acquire: (waitMs = 60_000) => supervisor.acquire(CHAT, { waitMs, signal: never }),
    running: () => runtime.started.filter(({ isStopped }) => !isStopped).length,
    newest: () => runtime.started.at(-1) as (typeof runtime.started)[number],
  };
}
