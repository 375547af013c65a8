import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Host, hostCapacity } from '../../catalog/compute/this-machine.ts';
import type { ContainerEngine, PullProgress } from '../../containers/container-engine.ts';
import { ContainerEngineGone, ImagePullFailed } from '../../containers/errors.ts';
import type { EndpointFailure } from '../../contract/endpoints/endpoint-report.ts';
import type { ContainerEngineStatus } from '../../contract/endpoints/runtimes.ts';
import { KeyedMutex } from '../../shared/async/mutex.ts';
import type { EndpointParts } from '../description/endpoint-parts.ts';
import type {
  EndpointRuntime,
  FetchProgress,
  FetchSpec,
  ModelNeed,
  Replica,
  ReplicaSpec,
  Unsuitable,
} from '../runtime/endpoint-runtime.ts';
import { ReplicaLog } from '../runtime/replica-log.ts';
import { answeringEngine, type EngineSearch } from './answering-engine.ts';
import { type ContainerImages, type PulledImage, pulledImage, unsuitableForContainers } from './container-images.ts';
import { containerOf, modelNeedOf } from './container-of.ts';
import { ContainerReplica, endedReplica } from './container-replica.ts';

interface ContainerRuntimeDeps extends EngineSearch {
  /** The engine as it was found. */
  readonly status: ContainerEngineStatus;
  readonly images: ContainerImages;
  /** AWS Neuron accelerators, such as `/dev/neuron0`. */
  readonly neuronDevices: readonly string[];
  /** The most memory that a container may take now, in bytes; null: no limit. */
  readonly memoryBytes: () => number | null;
}

/** An engine may end during a download. One that does so each time is broken. */
const MAX_PULLS = 3;

const CHOOSE_CPU = 'Choose the CPU for it.';

const WAITING: FetchProgress = { step: 'engine', doneBytes: null, totalBytes: null, detail: null };

/** Runs endpoints in containers of Docker or Podman. */
export class ContainerRuntime implements EndpointRuntime {
  readonly outlivesDaemon = true;
  readonly #deps: ContainerRuntimeDeps;
  /** One download of an image at a time: several replicas and endpoints share it. */
  readonly #pulls = new KeyedMutex();
  #label: string;

  constructor(deps: ContainerRuntimeDeps) {
    this.#deps = deps;
    this.#label = deps.status.label ?? 'container engine';
  }

  get label(): string {
    return this.#label;
  }

  /** Does not say that the engine is missing: it may be about to start. */
  unsuitable(parts: EndpointParts): Unsuitable | null {
    const { images, status, neuronDevices } = this.#deps;
    const general = unsuitableForContainers(parts, images);
    if (general !== null) return general;
    switch (parts.compute.accelerator) {
      case 'gpu':
        if (status.hasGpu || status.problem !== null) return null;
        return {
          problem: `${this.label} passes no graphics card of this machine to its containers.`,
          action: CHOOSE_CPU,
        };
      case 'neuron':
        if (neuronDevices.length > 0) return null;
        return { problem: 'This machine has no AWS Neuron accelerator.', action: CHOOSE_CPU };
      case 'zero_gpu':
        return { problem: 'This machine has no ZeroGPU: it is a service of the hub.', action: CHOOSE_CPU };
      case 'cpu':
        return null;
    }
  }

  modelNeed(parts: EndpointParts): ModelNeed {
    return modelNeedOf(parts);
  }

  async fetch(spec: FetchSpec): Promise<void> {
    const { signal, onProgress } = spec;
    const pulled = pulledImage(spec.parts, this.#deps.images, spec.imagePassword);
    for (let pull = 1; ; pull++) {
      const wait = { signal, onWait: () => onProgress(WAITING) };
      const { engine, answer: isHere } = await answeringEngine(this.#deps, (one) => one.hasImage(pulled.image), wait);
      this.#label = engine.label;
      if (isHere) return;
      try {
        return await this.#pull(engine, pulled, spec);
      } catch (error) {
        if (!(error instanceof ContainerEngineGone) || pull === MAX_PULLS) throw error;
      }
    }
  }

  async start({ id, endpoint, parts, model, variables, threads, onLine }: ReplicaSpec): Promise<Replica> {
    const { images, finder, clock, memoryBytes: limit, neuronDevices } = this.#deps;
    const { healthRoute, ...container } = containerOf(parts, { model, variables, threads, images });
    const engine = await finder.find();
    if (!engine) return endedReplica(goneAtStart(this.label), healthRoute);
    const log = new ReplicaLog(onLine);
    const memoryBytes = limit();
    const { accelerator } = parts.compute;
    try {
      const own = await engine.run({
        ...container,
        memoryBytes,
        cpus: threads,
        gpus: accelerator === 'gpu' ? 'all' : 'none',
        devices: accelerator === 'neuron' ? neuronDevices : [],
        owner: { endpoint, replica: id },
        onLine: (text, truncated) => {
          if (!isHealthLine(text, healthRoute)) log.add(text, truncated);
        },
      });
      const preparesModel = preparesOwnModel(parts);
      const { port } = container;
      const { label } = engine;
      return new ContainerReplica(own, { clock, log, healthRoute, port, preparesModel, memoryBytes, engine: label });
    } catch (error) {
      if (!(error instanceof ContainerEngineGone)) throw error;
      return endedReplica(goneAtStart(engine.label), healthRoute);
    }
  }

  async #pull(
    engine: ContainerEngine,
    { image, account, nameWithoutPassword }: PulledImage,
    { signal, onProgress }: FetchSpec,
  ): Promise<void> {
    const release = await this.#pulls.acquire(image, signal);
    try {
      onProgress({ step: 'pull', doneBytes: null, totalBytes: null, detail: null });
      if (await engine.hasImage(image)) return;
      await engine.pull(image, account, { signal, onProgress: (at) => onProgress(fetchProgress(at)) });
    } catch (error) {
      if (nameWithoutPassword === null || !(error instanceof ImagePullFailed && error.kind === 'unauthorized'))
        throw error;
      throw passwordMissing(nameWithoutPassword);
    } finally {
      release();
    }
  }
}

/** Whether the program in the container downloads its model, or compiles it for an accelerator. */
function preparesOwnModel(parts: EndpointParts): boolean {
  return modelNeedOf(parts) === 'nothing' || parts.compute.accelerator === 'neuron';
}

function fetchProgress({ doneBytes, totalBytes, layersDone, layers }: PullProgress): FetchProgress {
  const detail = layers === null ? null : `${layersDone} of ${layers} layers`;
  return { step: 'pull', doneBytes, totalBytes, detail };
}

const passwordMissing = (username: string) =>
  new ImagePullFailed(
    'unauthorized',
    `The image needs an account, and its user name ${username} has no password.`,
    'Set the password, then resume the endpoint.',
  );

const goneAtStart = (engine: string): EndpointFailure => ({
  reason: 'container-engine',
  message: `${engine} did not answer when the container was to start.`,
  action: 'Start it again, then resume the endpoint.',
  evidence: [],
});

/** Many servers write a line for each request: those of the watch, every two seconds, would push all others out of the log. */
const isHealthLine = (text: string, healthRoute: string) => text.includes(`"GET ${healthRoute} HTTP/1.1" 200`);

/** A small server starts with it on a machine whose memory is nearly used up. */
const LEAST_BYTES = 512 * 1024 ** 2;

/**
 * The most memory that a container may take: as much as a model may, so that the robot and other programs keep a rest.
 * A container that wants more ends, instead of the robot's own programs.
 */
export function containerMemoryBytes(host: Host): number {
  return Math.round(Math.max(LEAST_BYTES, hostCapacity(host)));
}

/** The AWS Neuron accelerators of this machine, such as `/dev/neuron0`. @param devFolder `/dev` */
export async function neuronDevices(devFolder: string): Promise<string[]> {
  const names = await readdir(devFolder).catch((): string[] => []);
  return names.filter((name) => /^neuron\d+$/.test(name)).map((name) => join(devFolder, name));
}
