import type { ContainerEngineStatus } from '../contract/endpoints/runtimes.ts';
import type { ContainerEngine } from './container-engine.ts';

/** Finds the program of this machine that runs containers, at the first call and again after `refresh`. */
export class ContainerEngineFinder {
  async status(): Promise<ContainerEngineStatus> {
    return {
      ...{ label: null, socket: null, isRootless: false, hasGpu: false },
      ...{ problem: 'No container engine answers on this machine.', action: null, command: null },
    };
  }

  /** null: none can be used; `status` says why. */
  async find(): Promise<ContainerEngine | null> {
    return null;
  }

  /** Forgets what was found. */
  refresh(): void {}
}
