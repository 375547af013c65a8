import type { EndpointState } from '../../../daemon/contract/endpoints/endpoint.ts';
import type { ReplicaReport } from '../../../daemon/contract/endpoints/endpoint-report.ts';
import type { StateText } from '../../parts/progress-text.ts';

const states: Readonly<Record<ReplicaReport['state'], StateText>> = {
  starting: { word: 'starting', tone: 'busy' },
  ready: { word: 'ready', tone: 'running' },
  silent: { word: 'does not answer', tone: 'failed' },
  draining: { word: 'finishing', tone: 'idle' },
};
export const replicaStateText = ({ state }: ReplicaReport): StateText => states[state];

/** The kind of a replica, and its process id or the beginning of its container's id. */
export function replicaName({ pid, container }: ReplicaReport): readonly [kind: string, id: string] {
  return pid === null ? ['Container', container?.slice(0, 12) ?? ''] : ['Process', String(pid)];
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
