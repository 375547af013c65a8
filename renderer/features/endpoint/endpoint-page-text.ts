import type { Balancing } from '../../../daemon/contract/endpoints/balancing.ts';
import type { EndpointState, EndpointType } from '../../../daemon/contract/endpoints/endpoint.ts';
import type { Choice } from '../../parts/forms/RadioList.tsx';

export const missingEndpointText = 'It was deleted, or its name in the address is misspelt.';
export const notLoadedText = 'The daemon does not send this part of the page now.';

// Overview
/** Before the name of the environment variable. */
export const tokenText = 'A token for this endpoint alone. The requests below read it from';
/** The same, for a browser that cannot make one. */
export const tokenReadText = 'The requests below read a token from';
/** Before the link to the settings. */
export const howToMakeText = {
  byToken: 'To make one here, sign in with a code under',
  signedOut: 'To make one here, sign this browser in under',
} as const;
/** Why there is no replica. */
export const noReplicasText: Partial<Record<EndpointState, string>> = {
  scaledToZero: 'None while it is asleep: the next request starts one.',
  paused: 'None while it is paused.',
  failed: 'None: it failed.',
};
/** In the place of the charts of the last hour, or of those of requests. */
export const noUseText = 'Nothing was measured in the last hour.';
export const noRequestsText = 'No request came in the last hour.';
export const noEventsText = 'No events are recorded yet.';

// Log
export const errorLinesHelp = 'Lines with an error level, or with words that tell of errors';
export const noLogText = 'Output appears when a process starts.';

// Settings
/** The measures that start more replicas, and the name of the threshold of each. */
export const measures = [
  {
    value: 'pendingRequests',
    label: 'The number of requests',
    threshold: 'Requests for each replica',
    description: 'Those that are answered or wait at the same time.',
  },
  {
    value: 'hardwareUsage',
    label: 'The use of the hardware',
    threshold: 'Percent in use',
    description: 'Of the processors or the graphics card, which all replicas share.',
  },
] as const satisfies readonly (Choice<string> & { threshold: string })[];
export type Measure = (typeof measures)[number]['value'];
export const thresholdHelp = 'More than this starts another one.';
export const thresholdProblems: Readonly<Record<Measure, string>> = {
  pendingRequests: 'A number, 0 or more, or nothing.',
  hardwareUsage: 'A number from 0 to 100, or nothing.',
};
export const oneReplicaText = 'With one replica at most, the next two choices have no effect yet.';
export const fixedReplicasText = (count: number): string =>
  `With always ${count} replicas, the next choice has no effect.`;

/** The rules by which a replica is chosen. */
export const balancingRules = [
  { value: 'random', label: 'Any of them', description: 'By chance.' },
  {
    value: 'least_connections',
    label: 'The one with the fewest requests',
    description: 'Short answers do not wait behind long ones.',
  },
  {
    value: 'sticky',
    label: 'The same one for each caller',
    description: 'It may remember the beginning of a chat, and answer sooner.',
  },
  {
    value: 'mcp',
    label: 'The same one for each MCP session',
    description: 'For servers of tools that keep a session.',
  },
] as const satisfies readonly Choice<Balancing>[];
/** Only programs set it: it is offered where it is set. */
export const statelessRule = {
  value: 'mcp-stateless',
  label: 'Any of them, as MCP without sessions',
  description: 'As a program has set it.',
} as const;

/** Which web pages may use an endpoint. */
export const pagesText = (type: EndpointType): string =>
  `Web pages whose origin is listed here may send requests${type === 'public' ? '; * lists every page' : ', with a token'}.`;
export const appPagesText = 'The page of an app that uses this model needs no entry.';
export const originHelp = 'Scheme, host and port.';

export const cacheHelp = 'A repeated request within an hour gets the same answer at once.';
export const noCachedText = 'Streamed answers are not kept.';
/** @param given `12 of 40 requests` */
export const cachedText = (given: string): string => `Answered ${given} since the daemon started.`;
