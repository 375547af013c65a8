import type { ContainerInspectInfo } from 'dockerode';
import type { ContainerExit } from './container-engine.ts';
import { type EngineClient, EngineRefused } from './engine-client.ts';

const LOOK_MS = 1_500;

/** The state of a container as its engine reports it. `gone`: it does not have it. `unknown`: the engine does not answer. */
type ContainerState = 'running' | 'paused' | 'gone' | 'unknown' | ContainerExit;

/** Asks an engine for the state of a container. Never rejects; takes at most 1.5 s. */
export async function containerState(client: EngineClient, id: string): Promise<ContainerState> {
  try {
    const { State } = await client.call(LOOK_MS, (docker, abortSignal) =>
      docker.getContainer(id).inspect({ abortSignal }),
    );
    return stateOf(State);
  } catch (error) {
    return error instanceof EngineRefused && error.status === 404 ? 'gone' : 'unknown';
  }
}

function stateOf({ Status, Running, ExitCode, OOMKilled }: ContainerInspectInfo['State']): ContainerState {
  if (Status === 'removing') return 'gone';
  if (Status === 'paused') return 'paused'; // which Docker calls running too
  // Podman does not count one that is being stopped or removed by force as running, and its code is 0 until it has ended.
  const isStopping = Status === 'stopping' || Status === 'running';
  return Running || isStopping ? 'running' : { code: ExitCode, how: 'exited', isOutOfMemory: OOMKilled };
}
