import type { Endpoint, EndpointState } from '../../../daemon/contract/endpoints/endpoint.ts';
import type { Tone } from '../../parts/notes/StateWord.tsx';
import type { EndpointCommand } from '../../slices/models/endpoints-slice.ts';

const states: Readonly<Record<EndpointState, { readonly word: string; readonly tone: Tone }>> = {
  pending: { word: 'pending', tone: 'busy' },
  initializing: { word: 'starting', tone: 'busy' },
  updating: { word: 'updating', tone: 'busy' },
  updateFailed: { word: 'update failed', tone: 'failed' },
  running: { word: 'running', tone: 'running' },
  paused: { word: 'paused', tone: 'idle' },
  failed: { word: 'failed', tone: 'failed' },
  scaledToZero: { word: 'asleep', tone: 'asleep' },
};

export const endpointStateText = (state: EndpointState) => states[state];

/** The provider, and the instance type (null on this machine). */
export function placementText({ provider, compute }: Endpoint): readonly [string, string | null] {
  if (provider.vendor === 'local') return ['this machine', null];
  return [`${provider.vendor} ${provider.region}`, `${compute.instanceType} ${compute.instanceSize}`];
}

export const commandText: Readonly<Record<EndpointCommand, string>> = {
  resume: 'Resume',
  pause: 'Pause',
  sleep: 'Sleep',
  delete: 'Delete…',
};

/** The commands that an endpoint's state allows, except delete. */
export function commandsFor({ status }: Endpoint): readonly EndpointCommand[] {
  switch (status.state) {
    case 'paused':
      return ['resume'];
    case 'scaledToZero':
    case 'failed':
      return ['resume', 'pause'];
    case 'running':
    case 'updateFailed':
      return ['pause', 'sleep'];
    default:
      return ['pause'];
  }
}
