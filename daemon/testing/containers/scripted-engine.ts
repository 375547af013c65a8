import type { ContainerExit, ContainerSpec, PullProgress, RegistryAccount } from '../../containers/container-engine.ts';
import type { ContainerEngine } from '../../containers/docker-engine.ts';
import { ContainerEngineGone } from '../../containers/errors.ts';
import type { OwnContainer } from '../../containers/running-container.ts';

/** A container whose end the test decides. */
interface ScriptedContainer extends OwnContainer {
  readonly spec: ContainerSpec;
  isStopped: boolean;
  end(exit?: Partial<ContainerExit>): void;
}

/** A container engine without containers, for tests of what is around it. */
export interface ScriptedEngine extends ContainerEngine {
  /** The images that are here. */
  readonly images: Set<string>;
  readonly pulled: { readonly image: string; readonly account: RegistryAccount | null }[];
  readonly containers: ScriptedContainer[];
  /** Whether its calls fail as those to an engine that has ended. */
  isGone: boolean;
  /** The work of a pull; it throws what the pull throws. */
  onPull: (onProgress: (progress: PullProgress) => void) => Promise<void>;
}

export function scriptedEngine(): ScriptedEngine {
  const label = 'Scripted 1.0';
  const answer = () => {
    if (engine.isGone) throw new ContainerEngineGone(label);
  };
  const engine: ScriptedEngine = {
    label,
    hasGpu: false,
    images: new Set(),
    pulled: [],
    containers: [],
    isGone: false,
    onPull: async () => {},
    hasImage: async (image) => {
      answer();
      return engine.images.has(image);
    },
    pull: async (image, account, { onProgress }) => {
      answer();
      engine.pulled.push({ image, account });
      await engine.onPull(onProgress);
      engine.images.add(image);
    },
    run: async (spec) => {
      answer();
      const container = scriptedContainer(spec, `container-${engine.containers.length + 1}`);
      engine.containers.push(container);
      return container;
    },
    removeOrphans: async () => 0,
  };
  return engine;
}

function scriptedContainer(spec: ContainerSpec, id: string): ScriptedContainer {
  const { promise: exited, resolve } = Promise.withResolvers<ContainerExit>();
  const container: ScriptedContainer = {
    id,
    spec,
    countsFiles: false,
    published: { host: '127.0.0.1', port: 1 },
    ended: exited.then(() => {}),
    exited,
    isStopped: false,
    usage: async () => ({ memoryBytes: 5_000_000, cpuSeconds: 2 }),
    stop: async () => {
      container.isStopped = true;
      container.end();
    },
    end: (exit = {}) => resolve({ code: 0, how: 'exited', isOutOfMemory: false, ...exit }),
  };
  return container;
}
