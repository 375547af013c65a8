import type { EndpointFailure } from '../../contract/endpoints/endpoint-report.ts';
import type { Replica } from '../runtime/endpoint-runtime.ts';

/**
 * A replica that ended before it ran. A replica that ends is started again, and its next start waits for what was
 * missing; a start that throws fails the endpoint.
 */
export function endedReplica(failure: EndpointFailure, healthRoute: string): Replica {
  return {
    pid: null,
    container: null,
    containerPort: null,
    address: { host: '127.0.0.1', port: 0 },
    healthRoute,
    preparesModel: false,
    countsFiles: false,
    ended: Promise.resolve(),
    exited: Promise.resolve({ code: null, signal: null, isStopped: false, failure }),
    isHealthy: async () => false,
    memoryBytes: async () => null,
    cpuSeconds: async () => null,
    log: [],
    stop: async () => {},
  };
}
