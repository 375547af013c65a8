import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { LocalLimits } from '../catalog/compute/local-programs.ts';
import type { ContainerEngineFinder } from '../containers/container-engine-finder.ts';
import type { CardProblem } from '../contract/compute/graphics-cards.ts';
import type { ContainerEngineStatus, RuntimeStatus } from '../contract/endpoints/runtimes.ts';
import { cardProblem } from '../graphics-cards/card-problems.ts';
import type { GraphicsCards, KnownCard } from '../graphics-cards/graphics-cards.ts';
import { lazy } from '../shared/async/lazy.ts';
import type { Clock } from '../shared/clock.ts';
import type { ForkNode } from '../shared/processes/fork-node.ts';
import { type ContainerImages, knownEngines } from './containers/container-images.ts';
import { ContainerRuntime } from './containers/container-runtime.ts';
import { engineOf } from './containers/variants/image-name.ts';
import { variantOf } from './containers/variants/variants.ts';
import type { EndpointParts } from './description/endpoint-parts.ts';
import { BundledRuntime, bundledPackage } from './llamacpp/bundled-runtime.ts';
import { LlamaServer } from './llamacpp/llama-server.ts';
import { askLlamaServer, findLlamaServer, readInstalled } from './llamacpp/llama-server-program.ts';
import { unsuitableForLlamacpp } from './llamacpp/unsuitable-text.ts';
import type { EndpointRuntime, NoRuntime, Unsuitable } from './runtime/endpoint-runtime.ts';

const NO_RUNTIME = 'This machine has no program that runs models of llama.cpp.';
const INSTALL = 'Install llama-server.';
const NAME_SERVER = 'Start the daemon with a llama-server that is named by its option --llama-server.';
const INSTALL_IT = 'Install it.';
const NEWER = 'Install a newer one.';
const NO_VISION = 'It reads images, which needs llama-server.';

export interface RuntimesDeps {
  /** The path of llama-server by the user's setting, or `none`; null: found on PATH or downloaded. */
  readonly llamaServer: string | null;
  /** The folder of downloaded programs. */
  readonly runtimesDir: string;
  /** The file of the bundled runner. */
  readonly runner: string;
  readonly forkNode: ForkNode;
  readonly childEnvironment: () => Readonly<Record<string, string>>;
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  readonly containerEngine: Pick<ContainerEngineFinder, 'status' | 'find' | 'refresh'>;
  /** The images of engines that an endpoint names by `engines/…`. */
  readonly containerImages: () => Promise<ContainerImages>;
  /** The most memory that a container may take now, in bytes; null: no limit. */
  readonly containerMemoryBytes: () => number | null;
  readonly neuronDevices: () => Promise<readonly string[]>;
  readonly cards: Pick<GraphicsCards, 'find'>;
  readonly clock: Clock;
  /** Whether the release of llama-server has a build for this machine. */
  readonly hasRelease: () => Promise<boolean>;
}

/** The programs that were found, without the container engine, which may come and go. */
interface Programs {
  readonly server: Found<LlamaServer> & { readonly canInstall: boolean };
  readonly bundled: Found<BundledRuntime>;
  readonly images: ContainerImages;
  readonly neuronDevices: readonly string[];
}

interface Detected {
  readonly programs: Programs;
  readonly engine: ContainerEngineStatus;
  /** The programs of llama.cpp, in the order of preference. */
  readonly processes: readonly EndpointRuntime[];
  readonly containers: ContainerRuntime;
}

interface Found<Runtime> {
  readonly status: RuntimeStatus;
  readonly runtime: Runtime | null;
}

/**
 * The programs of this machine that serve models. They are looked for at the first call, and again after `refresh`; the
 * container engine is looked for at each call. Until something else is found the results are the same objects.
 */
export class Runtimes {
  readonly #deps: RuntimesDeps;
  #programs: () => Promise<Programs>;
  #last: Detected | null = null;
  /** As of the last look; a look loads the graphics driver, so it is not taken for what runs on the processor. */
  #cards: CardState = { isOn: true, cards: [], problem: null, hasFailed: false };
  #limits: { readonly of: Detected; readonly cards: CardState; readonly limits: LocalLimits } | null = null;
  /** Whether a container engine has answered in the life of this daemon: one that is gone then is expected back. */
  #hadEngine = false;

  constructor(deps: RuntimesDeps) {
    this.#deps = deps;
    this.#programs = lazy(() => this.#findPrograms());
  }

  /** Forgets what was found: a program was installed or removed. */
  refresh(): void {
    this.#deps.containerEngine.refresh();
    this.#programs = lazy(() => this.#findPrograms());
  }

  async list(): Promise<readonly RuntimeStatus[]> {
    const [{ server, bundled }, cards] = await Promise.all([this.#programs(), this.#findCards()]);
    return [server.status, { ...bundled.status, hasGpu: bundled.runtime !== null && noCard(cards) === null }];
  }

  /** The graphics cards that the llama-server in use lists. @param mayLook whether one is looked for; else as of the last look */
  async cardsOfServer(mayLook: boolean): Promise<readonly KnownCard[]> {
    const programs = mayLook ? await this.#programs() : this.#last?.programs;
    return programs?.server.runtime?.cards ?? [];
  }

  /** Whether the llama-server in use lists no graphics card, and another one would be used once it is installed. */
  async mayReplaceServer(): Promise<boolean> {
    const { server } = await this.#programs();
    return server.canInstall && server.runtime?.hasGpu === false;
  }

  /** The program that runs containers on this machine. */
  containers(): Promise<ContainerEngineStatus> {
    return this.#deps.containerEngine.status();
  }

  async limits(): Promise<LocalLimits> {
    const [of, cards] = await Promise.all([this.#detect(), this.#findCards()]);
    const isSame = this.#limits?.of === of && isDeepStrictEqual(this.#limits.cards, cards);
    if (!this.#limits || !isSame) this.#limits = { of, cards, limits: localLimits(of.programs, of.engine, cards) };
    return this.#limits.limits;
  }

  /**
   * The preferred program that can run an endpoint. A model of llama.cpp needs no container, unless it names an image of
   * its own; it runs in one also if no other program here can run it. Another model runs in nothing else. An engine that
   * does not answer is waited for if one has run the endpoint, or has answered before.
   * @param how `servedInContainer`: whether the endpoint served in a container when it was ready last
   */
  async forEndpoint(
    parts: EndpointParts,
    { servedInContainer }: { readonly servedInContainer: boolean },
  ): Promise<EndpointRuntime | NoRuntime> {
    const detected = await this.#detect();
    const { processes, containers, programs } = detected;
    const isGpu = parts.compute.accelerator === 'gpu';
    if (isGpu && !(await this.#findCards()).isOn) {
      return noRuntime(switchedOff);
    }
    const isExpected = servedInContainer || this.#hadEngine;
    const { llamacpp } = parts.model.image;
    if (!llamacpp || engineOf(llamacpp.url) === null) return inContainer(parts, detected, isExpected);
    const problems: Unsuitable[] = [];
    for (const runtime of isExpected ? [...processes, containers] : processes) {
      const problem = runtime.unsuitable(parts);
      if (problem === null) return runtime;
      problems.push(problem);
    }
    // Why no graphics card is used says more than what one of the programs lacks.
    const problem = problems.find(({ card }) => card !== undefined) ?? problems[0];
    return noRuntime(problem ?? unsuitableForLlamacpp(parts) ?? noLlamacpp(programs.server));
  }

  async #detect(): Promise<Detected> {
    const { containerEngine: finder, containerMemoryBytes: memoryBytes, clock } = this.#deps;
    const [programs, engine] = await Promise.all([this.#programs(), finder.status()]);
    this.#hadEngine ||= engine.problem === null;
    if (this.#last?.programs === programs && isDeepStrictEqual(this.#last.engine, engine)) return this.#last;
    const { server, bundled, images, neuronDevices } = programs;
    const processes = [server.runtime, bundled.runtime].filter((runtime) => runtime !== null);
    this.#last = {
      ...{ programs, engine, processes },
      containers: new ContainerRuntime({ finder, clock, status: engine, images, neuronDevices, memoryBytes }),
    };
    return this.#last;
  }

  async #findCards(): Promise<CardState> {
    this.#cards = await this.#deps.cards.find();
    return this.#cards;
  }

  async #findPrograms(): Promise<Programs> {
    const { containerImages, neuronDevices } = this.#deps;
    const programs = [this.#llamaServer(), this.#bundled(), containerImages(), neuronDevices()] as const;
    const [server, bundled, images, devices] = await Promise.all(programs);
    return { server, bundled, images, neuronDevices: devices };
  }

  async #llamaServer(): Promise<Programs['server']> {
    const { llamaServer: setting, runtimesDir, childEnvironment, platform, clock, hasRelease } = this.#deps;
    const found = (path: string | null, problem: string, canInstall = false, version: string | null = null) => {
      const status = { id: 'llama-server', label: 'llama-server', version, path, problem, hasGpu: false } as const;
      return { status, runtime: null, canInstall };
    };
    if (platform === 'win32') return found(null, 'llama-server is not used on Windows: it has no Unix sockets there.');
    if (setting === 'none') return found(null, 'llama-server is switched off by the option --llama-server none.');
    const installed = await readInstalled(runtimesDir);
    const downloaded = installed && join(runtimesDir, installed.program);
    const path = childEnvironment()['PATH'] ?? '';
    const program = await findLlamaServer({ setting, path, downloaded });
    // An install would not replace the one on the search path.
    const canInstall = setting === null && (program === null || program === downloaded) && (await hasRelease());
    if (program === null) return found(null, 'llama-server is not installed.', canInstall);
    const capabilities = await askLlamaServer(program, childEnvironment());
    if ('problem' in capabilities) return found(program, capabilities.problem, canInstall);
    const { version, listensOnSockets } = capabilities;
    const tooOld = 'It cannot listen on a Unix socket. Install a newer one.';
    if (!listensOnSockets) return found(program, tooOld, canInstall, version);
    const ownCards = () => (this.#cards.hasFailed ? noCard(this.#cards) : null); // it may have others than the runner
    const runtime = new LlamaServer({ program, capabilities, childEnvironment, noCard: ownCards, clock });
    const { label, hasGpu } = runtime;
    const status = { id: 'llama-server', label, version, path: program, problem: null, hasGpu } as const;
    return { status, runtime, canInstall };
  }

  async #bundled(): Promise<Found<BundledRuntime>> {
    const { runner: program, forkNode, childEnvironment, platform, arch, clock } = this.#deps;
    const status = { id: 'bundled', path: program, hasGpu: false } as const;
    const found = await bundledPackage(program, platform, arch);
    if ('problem' in found) {
      const { problem } = found;
      return { status: { ...status, label: 'bundled llama.cpp', version: null, path: null, problem }, runtime: null };
    }
    const { version } = found;
    const ofRunner = () => noCard(this.#cards);
    const runtime = new BundledRuntime({ version, program, forkNode, childEnvironment, noCard: ofRunner, clock });
    return { status: { ...status, label: runtime.label, version, problem: null }, runtime };
  }
}

type CardState = Awaited<ReturnType<GraphicsCards['find']>>;

const switchedOff = ofCard(cardProblem('switched-off'));
const notIncluded = ofCard(cardProblem('not-included'));

function ofCard(card: CardProblem): Unsuitable {
  return { problem: card.message, action: card.action, card };
}

function noRuntime(why: Unsuitable): NoRuntime {
  return { reason: why.card ? 'graphics-card' : 'no-runtime', ...why };
}

/** Why the bundled runner uses no graphics card; null: it can. */
function noCard({ isOn, cards, problem }: CardState): Unsuitable | null {
  if (!isOn) return switchedOff;
  if (problem !== null) return ofCard(problem);
  return cards.length > 0 ? null : ofCard(cardProblem('no-card'));
}

function inContainer(
  parts: EndpointParts,
  { containers, engine }: Detected,
  isExpected: boolean,
): ContainerRuntime | NoRuntime {
  const unsuitable = containers.unsuitable(parts);
  if (unsuitable !== null) return { reason: 'no-runtime', ...unsuitable };
  if (engine.problem === null || isExpected) return containers;
  const { llamacpp } = parts.model.image;
  const what = llamacpp ? `the image ${llamacpp.url}` : variantOf(parts.model.image)?.variant.label;
  const problem = `To run ${what}, this machine needs a container engine. ${engine.problem}`;
  return { reason: 'container-engine', problem, action: engine.action ?? 'Install Docker or Podman.' };
}

/** Why no program of llama.cpp runs here, where none does. */
function noLlamacpp({ canInstall, status }: Programs['server']): Unsuitable {
  if (canInstall || status.problem === null) return { problem: NO_RUNTIME, action: INSTALL };
  return { problem: `${NO_RUNTIME} ${status.problem}`, action: NAME_SERVER };
}

/** The limits of this machine's programs. A container of llama.cpp can do everything that llama-server can. */
function localLimits(
  { server, bundled, images }: Programs,
  engine: ContainerEngineStatus,
  cards: CardState,
): LocalLimits {
  const known = knownEngines(images);
  const runsInContainer = (name: string) => engine.problem === null && known.has(name);
  const isInContainer = runsInContainer('llamacpp:cpu');
  const hasProcess = (bundled.runtime && noCard(cards) === null) || (server.runtime?.hasGpu && !cards.hasFailed);
  const { problem, action } = noCard(cards) ?? notIncluded;
  const whyNot = `${problem} ${action}`;
  const advice = (install: string) => (server.canInstall ? install : (server.status.problem ?? install));
  return {
    cpu: server.runtime || bundled.runtime || isInContainer ? null : `${NO_RUNTIME} ${advice(INSTALL)}`,
    gpu: cards.isOn && (hasProcess || (engine.hasGpu && runsInContainer('llamacpp:gpu'))) ? null : whyNot,
    vision:
      server.runtime?.readsImages || isInContainer
        ? null
        : `${NO_VISION} ${server.runtime ? NEWER : advice(INSTALL_IT)}`,
    canInstall: server.canInstall,
    ...containerLimits(engine, cards),
    images: known,
  };
}

function containerLimits({ problem, action, label, hasGpu }: ContainerEngineStatus, { isOn }: CardState) {
  if (problem !== null) {
    const containers = [problem, action].filter((text) => text !== null).join(' ');
    return { containers, containerGpu: containers };
  }
  if (!hasGpu) return { containers: null, containerGpu: `${label} passes no graphics card to its containers.` };
  return { containers: null, containerGpu: isOn ? null : `${switchedOff.problem} ${switchedOff.action}` };
}
