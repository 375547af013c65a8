import type { RuntimesDeps } from '../../endpoints/runtimes.ts';
import { systemClock } from '../../shared/clock.ts';

/** A machine without a container engine, for tests of what else runs models. */
export const withoutContainers = {
  containerEngine: {
    find: async () => null,
    status: async () => ({
      ...{ label: null, socket: null, isRootless: false, hasGpu: false },
      ...{ problem: 'No container engine answers on this machine.', action: 'Install Podman.', command: null },
    }),
    refresh: () => {},
  },
  containerImages: async () => new Map(),
  containerMemoryBytes: () => null,
  neuronDevices: async () => [],
  clock: systemClock,
} satisfies Partial<RuntimesDeps>;
