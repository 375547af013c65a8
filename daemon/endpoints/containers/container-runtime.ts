import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Host, hostCapacity } from '../../catalog/compute/this-machine.ts';
import type { PullProgress } from '../../containers/container-engine.ts';
import type { ContainerEngineFinder } from '../../containers/container-engine-finder.ts';
import type { ContainerEngine } from '../../containers/docker-engine.ts';
import { ContainerEngineGone, ImagePullFailed } from '../../containers/errors.ts';
import type { EndpointFailure } from '../../contract/endpoints/endpoint-report.ts';
import type { ContainerEngineStatus } from '../../contract/endpoints/runtimes.ts';
import { KeyedMutex } from '../../shared/async/mutex.ts';
import { type Clock, sleepOn } from '../../shared/clock.ts';
import type { EndpointParts } from '../description/endpoint-parts.ts';
import { EndpointFailed } from '../failures/endpoint-failed.ts';
import type {
  EndpointRuntime,
  FetchReport,
  FetchSpec,
  ModelNeed,
  Replica,
  ReplicaSpec,
  Unsuitable,
} from '../runtime/endpoint-runtime.ts';
import { ReplicaLog } from '../runtime/replica-log.ts';
import { type ContainerImages, type PulledImage, pulledImage, unsuitableForContainers } from './container-images.ts';
import { containerOf, modelNeedOf } from './container-of.ts';
import { ContainerReplica, endedReplica } from './container-replica.ts';

interface ContainerRuntimeDeps {
  readonly finder: Pick<ContainerEngineFinder, 'status' | 'find' | 'refresh'>;
  readonly clock: Clock;
  /** The engine as it was found. */
  readonly status: ContainerEngineStatus;
  readonly images: ContainerImages;
  /** AWS Neuron accelerators, such as `/dev/neuron0`. */
  readonly neuronDevices: readonly string[];
  /** The most memory that a container may take now, in bytes; null: no limit. */
  readonly memoryBytes: () => number | null;
}

/** A machine that has just started has its engine within this time, and so has one whose engine is being updated. */
const LONGEST_WAIT_MS = 10 * 60_000;
const LOOK_EVERY_MS = 2_000;

/** An engine may end during a download. One that does so each time is broken. */
const MAX_PULLS = 3;

/** Runs endpoints in containers of Docker or Podman. */
export class ContainerRuntime implements EndpointRuntime {
  readonly outlivesDaemon = true;
  readonly cardPlace = 'unused';
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
    const { accelerator } = parts.compute;
    const action = 'Choose the processor for it.';
    if (accelerator === 'gpu' && !status.hasGpu && status.problem === null)
      return { problem: `${this.label} passes no graphics card of this machine to its containers.`, action };
    if (accelerator === 'neuron' && neuronDevices.length === 0)
      return { problem: 'This machine has no AWS Neuron accelerator.', action };
    return null;
  }

  modelNeed(parts: EndpointParts): ModelNeed {
    return modelNeedOf(parts);
  }

  async fetch(spec: FetchSpec): Promise<void> {
    const pulled = pulledImage(spec.parts, this.#deps.images, spec.imagePassword);
    for (let pull = 1; ; pull++) {
      const { engine, isHere } = await this.#askFor(pulled.image, spec);
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

  /** Asks the engine for an image, and waits while none answers. @throws EndpointFailed after ten minutes, the reason of the signal */
  async #askFor(
    image: string,
    { signal, report }: FetchSpec,
  ): Promise<{ readonly engine: ContainerEngine; readonly isHere: boolean }> {
    const { finder, clock } = this.#deps;
    const startedMs = clock.elapsedMs();
    for (;;) {
      const engine = await finder.find();
      signal.throwIfAborted();
      try {
        if (engine) return { engine, isHere: await engine.hasImage(image) };
      } catch (error) {
        if (!(error instanceof ContainerEngineGone)) throw error;
      }
      if (clock.elapsedMs() - startedMs >= LONGEST_WAIT_MS)
        throw goneForLong(engine?.label ?? 'The container engine', await finder.status());
      report.at('engine');
      await sleepOn(clock, LOOK_EVERY_MS, signal);
      finder.refresh();
    }
  }

  async #pull(
    engine: ContainerEngine,
    { image, account, nameWithoutPassword }: PulledImage,
    { signal, report }: FetchSpec,
  ): Promise<void> {
    const release = await this.#pulls.acquire(image, signal);
    try {
      report.at('pull');
      if (await engine.hasImage(image)) return;
      await engine.pull(image, account, { signal, onProgress: (progress) => showPull(progress, report) });
    } catch (error) {
      if (nameWithoutPassword === null || !(error instanceof ImagePullFailed && error.kind === 'unauthorized'))
        throw error;
      throw passwordMissing(nameWithoutPassword);
    } finally {
      release();
    }
  }
}

const goneForLong = (label: string, { problem, action }: ContainerEngineStatus) =>
  new EndpointFailed({
    reason: 'container-engine',
    message: `${label} has not answered for 10 minutes.${problem === null ? '' : ` ${problem}`}`,
    action: action === null ? 'Start it again, then resume the endpoint.' : `${action} Then resume the endpoint.`,
  });

/** Whether the program in the container downloads its model, or compiles it for an accelerator. */
function preparesOwnModel(parts: EndpointParts): boolean {
  return modelNeedOf(parts) === 'nothing' || parts.compute.accelerator === 'neuron';
}

function showPull({ doneBytes, totalBytes, layersDone, layers }: PullProgress, report: FetchReport): void {
  if (doneBytes !== null) report.downloaded('pull', doneBytes, totalBytes);
  else report.at('pull', layers === null ? null : `${layersDone} of ${layers} layers`);
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
