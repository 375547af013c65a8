import { byteText } from '../../../daemon/contract/common/byte-text.ts';
import type { EndpointMemory, EndpointState } from '../../../daemon/contract/endpoints/endpoint.ts';
import type { ReplicaReport } from '../../../daemon/contract/endpoints/endpoint-report.ts';
import type { EndpointTraffic } from '../../../daemon/contract/endpoints/endpoint-traffic.ts';
import { counted, decimals } from '../../parts/format.ts';
import type { StateText } from '../../parts/progress-text.ts';

const states: Readonly<Record<ReplicaReport['state'], StateText>> = {
  starting: { word: 'starting', tone: 'busy' },
  ready: { word: 'ready', tone: 'running' },
  draining: { word: 'finishing', tone: 'idle' },
};
export const replicaStateText = ({ state }: ReplicaReport): StateText => states[state];

/** The kind of a replica, and its process id or the beginning of its container's id. */
export function replicaName({ pid, container }: ReplicaReport): readonly [kind: string, id: string] {
  return pid === null ? ['Container', container?.slice(0, 12) ?? ''] : ['Process', String(pid)];
}

/** The figures of a replica, in the order of the columns; empty: unknown, or it does not serve yet. */
export function replicaFigures({ state, requests, memoryBytes, cpuPercent }: ReplicaReport): readonly string[] {
  return [
    state === 'starting' ? '' : counted(requests, 'request'),
    memoryBytes === null ? '' : byteText(memoryBytes),
    cpuPercent === null ? '' : processorText(cpuPercent),
  ];
}

/** `87 % of a processor`, `1.9 processors`. */
function processorText(cpuPercent: number): string {
  return cpuPercent < 100 ? `${Math.round(cpuPercent)} % of a processor` : `${decimals(cpuPercent / 100)} processors`;
}

/** Why there is no replica. */
export function noReplicasText(state: EndpointState): string {
  switch (state) {
    case 'scaledToZero':
      return 'None while it is asleep. The next request starts one.';
    case 'paused':
      return 'None while it is paused.';
    case 'failed':
      return 'None: it failed.';
    default:
      return 'None yet.';
  }
}

/** The memory of one replica, as measured and as estimated; null: neither is known. */
export function memoryText({ estimatedBytes, usedBytes }: EndpointMemory): string | null {
  if (usedBytes === null) return estimatedBytes === null ? null : `an estimated ${byteText(estimatedBytes)}`;
  const used = `${byteText(usedBytes)} at most so far`;
  return estimatedBytes === null ? used : `${used}, an estimated ${byteText(estimatedBytes)}`;
}

/** The share of the requests since the daemon's start that the cache answered: `12 of 40 requests`; null: none. */
export function cacheText({ cacheHits, requests }: EndpointTraffic): string | null {
  return cacheHits === 0 ? null : `${cacheHits} of ${counted(requests, 'request')}`;
}
