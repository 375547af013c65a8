import type { LocalLimits } from '../catalog/compute/local-programs.ts';
import type { ContainerEngineStatus, RuntimeStatus } from '../contract/endpoints/runtimes.ts';
import { type ContainerImages, knownEngines } from './containers/container-images.ts';
import type { Unsuitable } from './runtime/endpoint-runtime.ts';

const NO_RUNTIME = 'This machine has no program that runs models of llama.cpp.';
const INSTALL = 'Install llama-server.';
const NAME_SERVER = 'Start the daemon with a llama-server that is named by its option --llama-server.';
const INSTALL_IT = 'Install it.';
const NEWER = 'Install a newer one.';
const NO_GPU = 'The graphics card needs a llama-server that was built for it. Name one by the option --llama-server.';
const NO_VISION = 'It reads images, which needs llama-server.';

/** The programs that were found. */
interface FoundPrograms {
  readonly server: {
    readonly status: RuntimeStatus;
    readonly runtime: { readonly hasGpu: boolean; readonly readsImages: boolean } | null;
    readonly canInstall: boolean;
  };
  /** Whether a program of llama.cpp can be used. */
  readonly hasProcess: boolean;
  readonly engine: ContainerEngineStatus;
  readonly images: ContainerImages;
}

/** Why no program of llama.cpp runs here, where none does. */
export function noLlamacpp({ canInstall, status }: FoundPrograms['server']): Unsuitable {
  if (canInstall || status.problem === null) return { problem: NO_RUNTIME, action: INSTALL };
  return { problem: `${NO_RUNTIME} ${status.problem}`, action: NAME_SERVER };
}

/** The limits of this machine's programs. A container of llama.cpp can do everything that llama-server can. */
export function localLimits({ server, hasProcess, engine, images }: FoundPrograms): LocalLimits {
  const known = knownEngines(images);
  const runsInContainer = (name: string) => engine.problem === null && known.has(name);
  const isInContainer = runsInContainer('llamacpp:cpu');
  const advice = (install: string) => (server.canInstall ? install : (server.status.problem ?? install));
  return {
    cpu: hasProcess || isInContainer ? null : `${NO_RUNTIME} ${advice(INSTALL)}`,
    gpu: server.runtime?.hasGpu || (engine.hasGpu && runsInContainer('llamacpp:gpu')) ? null : NO_GPU,
    vision:
      server.runtime?.readsImages || isInContainer
        ? null
        : `${NO_VISION} ${server.runtime ? NEWER : advice(INSTALL_IT)}`,
    canInstall: server.canInstall,
    ...containerLimits(engine),
    images: known,
  };
}

function containerLimits({ problem, action, label, hasGpu }: ContainerEngineStatus) {
  if (problem !== null) {
    const containers = [problem, action].filter((text) => text !== null).join(' ');
    return { containers, containerGpu: containers };
  }
  return { containers: null, containerGpu: hasGpu ? null : `${label} passes no graphics card to its containers.` };
}
