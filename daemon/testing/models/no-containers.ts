import type { ContainerEngineFinder } from '../../containers/container-engine-finder.ts';

/** A machine without a container engine. */
export const noContainers: Pick<ContainerEngineFinder, 'status' | 'find' | 'refresh'> = {
  status: async () => ({
    ...{ label: null, socket: null, isRootless: false, hasGpu: false },
    ...{ problem: 'No container engine is installed.', action: 'Install Podman.', command: null },
  }),
  find: async () => null,
  refresh: () => {},
};
