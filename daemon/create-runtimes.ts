import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureHost } from './catalog/compute/this-machine.ts';
import { ContainerEngineFinder, type ContainerEngineFinderDeps } from './containers/container-engine-finder.ts';
import { ContainerRegister } from './containers/container-register.ts';
import { LeftoverContainers } from './containers/leftover-containers.ts';
import type { BaseParts } from './create-base.ts';
import { readContainerImages } from './endpoints/containers/container-images.ts';
import { containerMemoryBytes, neuronDevices } from './endpoints/containers/container-runtime.ts';
import { bundledPackage } from './endpoints/llamacpp/bundled-runtime.ts';
import { wantsCardBuild } from './endpoints/runtime-install/card-build.ts';
import { LlamaServerInstaller } from './endpoints/runtime-install/llama-server-installer.ts';
import { Runtimes } from './endpoints/runtimes.ts';
import { CardPlaces } from './graphics-cards/card-places.ts';
import { bootKey, driverKey } from './graphics-cards/driver-key.ts';
import { GraphicsCards, type GraphicsCardsDeps } from './graphics-cards/graphics-cards.ts';
import { ShaderCache } from './graphics-cards/shader-cache.ts';
import type { JobQueue } from './jobs/job-queue.ts';
import { plainForkNode } from './shared/processes/fork-node.ts';

/** Composes the finder of this machine's container engine. Nothing is looked for until it is asked for. */
export function createContainerEngine(
  deps: Pick<ContainerEngineFinderDeps, 'setting' | 'register' | 'clock' | 'log'>,
): ContainerEngineFinder {
  const { platform, env: environment } = process;
  const uid = process.getuid?.() ?? null;
  const machine = { platform, home: homedir(), temporary: tmpdir(), uid, environment };
  return new ContainerEngineFinder({ ...deps, machine });
}

/** Composes the finder of this machine's graphics cards. No driver is asked until it is. */
export function createGraphicsCards(
  deps: Pick<
    GraphicsCardsDeps,
    'program' | 'file' | 'forkNode' | 'childEnvironment' | 'cardsOfServer' | 'clock' | 'log'
  >,
): GraphicsCards {
  const { platform, arch } = process;
  const library = async () => {
    const found = await bundledPackage(deps.program, platform, arch);
    return 'version' in found ? found.version : null;
  };
  return new GraphicsCards({ ...deps, library, driverKey, boot: () => bootKey(deps.clock.now) });
}

/** Composes the programs that serve models, and the installer of one. Nothing is looked for until it is asked for. */
export function createRuntimes({ options, paths, childEnvironment, clock, log }: BaseParts, jobs: JobQueue) {
  const { platform, arch } = process;
  const { assetsDir, llamaRunner: runner } = options.resources;
  const { llamaServer, llamaServerUrl: url, llamaServerSha256: sha256, forkNode = plainForkNode } = options;
  const { runtimes: runtimesDir } = paths;
  const register = new ContainerRegister({ file: paths.containersFile, dataDir: paths.root, log });
  const containerEngine = createContainerEngine({ setting: options.containerEngine, register, clock, log });
  const { graphicsCardsFile: file } = paths;
  const cards = createGraphicsCards({
    ...{ program: runner, file, forkNode, childEnvironment, clock, log },
    cardsOfServer: (mayLook) => runtimes.cardsOfServer(mayLook),
  });
  const shaderCache = new ShaderCache(paths.shaderCache, log);
  const cardPlaces = new CardPlaces({
    cards,
    compiled: async () => shaderCache.of(await driverKey('', {})), // another library compiles the same
  });
  const runtimes = new Runtimes({
    ...{ llamaServer, runtimesDir, runner, forkNode, childEnvironment, platform, arch },
    containerEngine,
    containerImages: () => readContainerImages(join(assetsDir, 'runtimes', 'container-images.json')),
    containerMemoryBytes: () => containerMemoryBytes(measureHost()),
    neuronDevices: () => neuronDevices('/dev'),
    cards,
    clock,
    hasRelease: () => llamaServerInstaller.hasRelease(),
  });
  const llamaServerInstaller = new LlamaServerInstaller({
    jobs,
    runtimesDir,
    release: { file: join(assetsDir, 'runtimes', 'llama-server.json'), platform, arch, url, sha256 },
    wantsCardBuild: () => wantsCardBuild(cards),
    mayReplace: () => runtimes.mayReplaceServer(),
    childEnvironment,
    clock,
    onInstalled: () => runtimes.refresh(),
  });
  const leftoverContainers = new LeftoverContainers({ finder: containerEngine, register, clock, log });
  return { runtimes, cards, cardPlaces, llamaServerInstaller, leftoverContainers };
}
