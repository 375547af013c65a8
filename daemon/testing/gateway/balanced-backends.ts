import type { Balancing } from '../../contract/endpoints/balancing.ts';
import type { Backends } from '../../endpoints/replicas/backends.ts';
import { ReplicaUse } from '../../endpoints/replicas/replica-use.ts';
import type { Replica } from '../../endpoints/runtime/endpoint-runtime.ts';
import { EndpointUnavailable } from '../../endpoints/states/errors.ts';
import { systemClock } from '../../shared/clock.ts';

/** Several replicas that are ready, chosen by a rule. A test takes one away by its id, which is its socket's path. */
export function balancedBackends(
  rule: Balancing,
  socketPaths: readonly string[],
  random: () => number,
): Backends & { readonly ready: Set<string> } {
  const use = new ReplicaUse(random, systemClock.elapsedMs);
  const ready = new Set(socketPaths);
  return {
    ready,
    acquire: async (_name, acquiring) => {
      const replicas = [...ready].map((socketPath) => ({
        id: socketPath,
        isSilent: false,
        slots: null,
        replica: { address: { socketPath }, healthRoute: '/health' } as unknown as Replica,
      }));
      const backend = use.take(replicas, rule, acquiring, () => {});
      if (!backend) throw new EndpointUnavailable('No replica is ready.', 1);
      return backend;
    },
    peek: () => null,
  };
}
