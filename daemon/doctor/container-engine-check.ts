import { LOCAL_VENDOR } from '../catalog/compute/compute-offer.ts';
import { hasEngineProgram } from '../containers/finding/missing-engine.ts';
import { namesForPeople } from '../contract/endpoints/endpoint-id.ts';
import type { ContainerEngineStatus } from '../contract/endpoints/runtimes.ts';
import { variantOf } from '../endpoints/containers/variants/variants.ts';
import type { EndpointRecord } from '../endpoints/records/endpoint-record.ts';
import { listText } from '../shared/list-text.ts';
import { broken, byHand, type Finding, note } from './check.ts';

/** The program that runs containers on this machine. */
export interface EngineState {
  readonly status: ContainerEngineStatus;
  /** Whether one is installed, or named by the user's setting, so that it is expected to answer. */
  readonly isExpected: boolean;
}

/**
 * Whether an engine is expected to answer.
 * @param setting see `--container-engine`; null: none was given
 * @param path the search path for programs
 */
export async function isEngineExpected(setting: string | null, path: string): Promise<boolean> {
  return setting === null ? hasEngineProgram(path, process.platform) : setting !== 'none';
}

/** Finds an engine that does not answer: broken where an endpoint needs it, a note where it is only expected. */
export function checkContainerEngine(
  { status, isExpected }: EngineState,
  endpoints: readonly EndpointRecord[],
): Finding[] {
  const { problem, action, command } = status;
  const users = endpoints.filter(needsContainers).map(namesForPeople(endpoints));
  if (problem === null || (users.length === 0 && !isExpected)) return [];
  const [subject, verb] = users.length === 1 ? ['endpoint', 'needs'] : ['endpoints', 'need'];
  const need = users.length === 0 ? 'No endpoint needs it.' : `The ${subject} ${listText(users.sort())} ${verb} it.`;
  const fix = byHand([action, command].filter(Boolean).join(' '));
  return [(users.length === 0 ? note : broken)('container-engine', `${problem} ${need}`, 'this machine', fix)];
}

/** Whether nothing on this machine but a container serves an endpoint. Models of llama.cpp have other programs too. */
function needsContainers({ endpoint: { provider, model }, failure }: EndpointRecord): boolean {
  if (provider.vendor !== LOCAL_VENDOR) return false;
  const variant = variantOf(model.image)?.name ?? 'llamacpp';
  return variant !== 'llamacpp' || failure?.reason === 'container-engine';
}

/** The engine in a line: "Podman 5.4.0 at /run/podman/podman.sock, rootless, without graphics cards". */
export function engineText({ label, socket, isRootless, hasGpu }: ContainerEngineStatus): string {
  if (label === null) return 'no engine answers';
  return `${label} at ${socket}${isRootless ? ', rootless' : ''}, with${hasGpu ? '' : 'out'} graphics cards`;
}
