import type { EndpointFailure } from '../../contract/endpoints/endpoint-report.ts';
import { exitFailure, type ProcessExit } from '../../endpoints/failures/exit-cause.ts';
import type { EndpointRuntime, Replica, ReplicaSpec } from '../../endpoints/runtime/endpoint-runtime.ts';

/** A replica whose health and end the test decides. */
export interface ScriptedReplica extends Replica {
  readonly spec: ReplicaSpec;
  isStopped: boolean;
  /** The processor time that it has used, in seconds; null: unknown. */
  processorSeconds: number | null;
  becomeHealthy(): void;
  hang(): void;
  /** Ends; why is not known yet. */
  endServing(): void;
  end(exit?: Partial<ProcessExit> | EndpointFailure): void;
}

/** A runtime without processes, for tests of what is around them. */
export interface ScriptedRuntime extends EndpointRuntime {
  /** Every replica so far, the newest last. */
  readonly started: ScriptedReplica[];
  /** Whether new replicas are healthy at once. */
  isQuick: boolean;
  /** A replica ends on its own when this is set. */
  exitsAtOnce: boolean;
}

export function scriptedRuntime(): ScriptedRuntime {
  const runtime: ScriptedRuntime = {
    label: 'scripted 1.0',
    outlivesDaemon: false,
    cardPlace: 'welcome',
    started: [],
    isQuick: true,
    exitsAtOnce: false,
    unsuitable: () => null,
    modelNeed: () => 'gguf',
    start: async (spec) => {
      const replica = scriptedReplica(spec, 1_000 + runtime.started.length, runtime.isQuick);
      runtime.started.push(replica);
      if (runtime.exitsAtOnce) replica.end({ code: 1 });
      return replica;
    },
  };
  return runtime;
}

function scriptedReplica(spec: ReplicaSpec, pid: number, isQuick: boolean): ScriptedReplica {
  const { promise: exited, resolve } = Promise.withResolvers<EndpointFailure>();
  const { promise: ended, resolve: endServing } = Promise.withResolvers<void>();
  void exited.then(() => endServing());
  let isHealthy = isQuick;
  const log: string[] = [];
  const write = (line: string) => {
    log.push(line);
    spec.onLine(line, false);
  };
  write(`started ${pid}`);
  const replica: ScriptedReplica = {
    pid,
    spec,
    container: null,
    containerPort: null,
    address: { socketPath: spec.socketPath },
    healthRoute: '/health',
    preparesModel: false,
    countsFiles: false,
    cardUse: null,
    ended,
    exited,
    log,
    isStopped: false,
    processorSeconds: null,
    isHealthy: async () => isHealthy,
    memoryBytes: async () => 1_000_000,
    cpuSeconds: async () => replica.processorSeconds,
    stop: async () => {
      replica.isStopped = true;
      resolve(exitFailure({ code: null, signal: 'SIGTERM' }, log));
      await exited;
    },
    becomeHealthy: () => {
      isHealthy = true;
    },
    hang: () => {
      isHealthy = false;
    },
    endServing,
    end: (exit = {}) => {
      isHealthy = false;
      write(`ended ${pid}`);
      resolve('reason' in exit ? exit : exitFailure({ code: null, signal: null, ...exit }, log));
    },
  };
  return replica;
}
