import { randomBytes } from 'node:crypto';
import type { ContainerInspectInfo } from 'dockerode';
import pLimit from 'p-limit';
import { pathExists } from '../shared/async/succeeds.ts';
import type { Clock } from '../shared/clock.ts';
import type { Logger } from '../shared/logger.ts';
import { OomKillWatch } from '../shared/processes/oom-kills.ts';
import type { ContainerSpec, PublishedPort, RegistryAccount } from './container-engine.ts';
import { containerOptions } from './container-options.ts';
import type { ContainerRegister } from './container-register.ts';
import { removeContainer, removeOwned } from './container-removal.ts';
import { dial, EngineClient, EngineRefused } from './engine-client.ts';
import type { EngineFacts } from './finding/engine-facts.ts';
import { type EnginePlace, placeText } from './finding/engine-places.ts';
import { type PullOptions, pullImage } from './pull-image.ts';
import { type OwnContainer, RunningContainer } from './running-container.ts';
import { startFailure } from './start-failure.ts';

const ASK_MS = 5_000;
/** A first start sets up networks and file systems. */
const CREATE_MS = 60_000;
/** The others wait: of ten starts at once, Podman on a busy machine with two cores answered none within `CREATE_MS`. */
export const STARTS_AT_ONCE = 3;
/**
 * Docker reports each piece that it downloads, Podman whole layers only, and the largest of those with libraries for
 * graphics cards take most of an hour on a slow line.
 */
const STALL_MS = { docker: 5 * 60_000, podman: 60 * 60_000 };
const LOOPBACK = '127.0.0.1';

interface DockerEngineDeps {
  readonly place: EnginePlace;
  readonly facts: EngineFacts;
  readonly register: ContainerRegister;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
}

/** A program of this machine that runs containers. */
export type ContainerEngine = Pick<DockerEngine, 'label' | 'hasGpu' | 'hasImage' | 'pull' | 'run' | 'removeOrphans'>;

/** Docker, Podman, or what speaks their interface. */
export class DockerEngine {
  readonly #deps: DockerEngineDeps;
  readonly #client: EngineClient;
  readonly #place: string;
  readonly #starts = pLimit(STARTS_AT_ONCE);

  constructor(deps: DockerEngineDeps) {
    this.#deps = deps;
    this.#client = new EngineClient(deps.clock, deps.place, deps.facts.label);
    this.#place = placeText(deps.place);
  }

  /** Its name and version, such as "Podman 4.3.1". */
  get label(): string {
    return this.#deps.facts.label;
  }

  get hasGpu(): boolean {
    return this.#deps.facts.gpu !== null;
  }

  async hasImage(image: string): Promise<boolean> {
    try {
      const inspect = { path: `/images/${image}/json`, method: 'GET' };
      await this.#client.call(ASK_MS, (docker, abortSignal) => dial(docker, { ...inspect, abortSignal }));
      return true;
    } catch (error) {
      if (error instanceof EngineRefused && error.status === 404) return false;
      throw error;
    }
  }

  /**
   * @param account of the image's registry; null: none
   * @throws ImagePullFailed, ContainerEngineGone, or the reason of the signal
   */
  pull(image: string, account: RegistryAccount | null, options: Omit<PullOptions, 'clock' | 'stallMs'>): Promise<void> {
    const { clock, facts } = this.#deps;
    return pullImage(this.#client, image, account, { ...options, clock, stallMs: STALL_MS[facts.kind] });
  }

  /**
   * Creates and starts a container. Nothing of it is left when it throws; what an engine that did not answer has created
   * is removed later.
   * @throws ContainerStartFailed, ContainerEngineGone, StorageError when the data folder takes no record of it
   */
  async run(spec: ContainerSpec): Promise<OwnContainer> {
    const { register, clock, facts } = this.#deps;
    await this.#refuseIgnored(spec);
    const name = `robot-desktop-${randomBytes(8).toString('hex')}`;
    await register.hold(this.#place, name);
    try {
      const { id, published } = await this.#starts(() => this.#start(spec, name));
      return new RunningContainer({
        ...{ clock, id, published, client: this.#client, kind: facts.kind, countsFiles: facts.countsFiles },
        ...{ onLine: spec.onLine, oomKills: new OomKillWatch() },
        onEnded: (isGone) => this.#release(name, isGone),
      });
    } catch (error) {
      const isGone = await removeContainer(clock, this.#client, name);
      // An engine that did not answer in time may create it later.
      await this.#release(name, isGone && error instanceof EngineRefused);
      throw error instanceof EngineRefused ? startFailure(error.message) : error;
    }
  }

  /** Removes every container of this data folder that this daemon does not run now. @returns how many. @throws ContainerEngineGone */
  async removeOrphans(): Promise<number> {
    const { register, clock } = this.#deps;
    const owner = await register.identity();
    const isHeld = (name: string) => register.holds(name);
    return register.clear(this.#place, () => removeOwned(this.#client, { owner, label: this.label, isHeld, clock }));
  }

  /** Podman creates a folder that is missing, and its versions before 5 ignore a request for a graphics card. */
  async #refuseIgnored({ mounts, gpus }: ContainerSpec): Promise<void> {
    for (const { from } of mounts)
      if (!(await pathExists(from))) throw startFailure(`bind source path ${from} is missing`);
    if (gpus === 'all' && !this.hasGpu) throw startFailure(`${this.label} could not select device driver for NVIDIA`);
  }

  /** @throws EngineRefused, ContainerEngineGone */
  async #start(spec: ContainerSpec, name: string): Promise<{ readonly id: string; readonly published: PublishedPort }> {
    const owner = await this.#deps.register.identity();
    const options = containerOptions(spec, { name, owner }, this.#deps.facts);
    const { id } = await this.#client.call(CREATE_MS, (docker, abortSignal) =>
      docker.createContainer({ ...options, abortSignal }),
    );
    await this.#client.call(CREATE_MS, (docker, abortSignal) => docker.getContainer(id).start({ abortSignal }));
    const details = await this.#client.call(ASK_MS, (docker, abortSignal) =>
      docker.getContainer(id).inspect({ abortSignal }),
    );
    return { id, published: { host: LOOPBACK, port: publishedPort(details, spec.port) } };
  }

  async #release(name: string, isGone: boolean): Promise<void> {
    const { register, log } = this.#deps;
    if (!isGone) log.warn(`containers: ${name} could not be removed; it will be once ${this.label} answers`);
    await register.release(this.#place, name, isGone);
  }
}

/** @returns 0 for a container that has ended already. @throws EngineRefused for one that other machines could reach */
function publishedPort({ NetworkSettings }: ContainerInspectInfo, port: number): number {
  const bindings = NetworkSettings.Ports?.[`${port}/tcp`] ?? [];
  if (bindings.some(({ HostIp }) => HostIp !== LOOPBACK)) throw new EngineRefused(500, 'published beyond this machine');
  return Number(bindings[0]?.HostPort ?? 0);
}
