import type * as z from 'zod';
import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { EndpointListing, EndpointsStatus, OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import type { EndpointLog } from '../../../daemon/contract/endpoints/endpoint-report.ts';
import type { CommandKey, SendCommand } from '../base/commands.ts';
import { createLatestLoad, type Loaded, load } from '../base/loaded.ts';
import { createPacedLoad } from '../base/paced-load.ts';
import { type GetState, type Reducers, type SetState, without } from '../base/slice.ts';
import { callSignedIn, type SessionSlice } from '../daemon/session-slice.ts';

const operations = {
  pause: 'pauseEndpoint',
  resume: 'resumeEndpoint',
  sleep: 'scaleEndpointToZero',
  delete: 'deleteEndpoint',
} as const;
export type EndpointCommand = keyof typeof operations;

type EndpointPage = z.infer<typeof EndpointListing>;

export interface EndpointsSlice {
  /** The number of endpoints and their revision; null until the first snapshot. */
  readonly endpointsStatus: EndpointsStatus | null;
  readonly endpointPage: Loaded<EndpointPage> | null;
  /** The newest output of the endpoints whose log is open, by `endpointKey`. */
  readonly endpointLogs: Readonly<Record<string, Loaded<EndpointLog>>>;
  /** Loads a page, counted from 1; the same page again at most a few times a second. */
  readonly loadEndpoints: (page: string) => Promise<void>;
  readonly loadEndpointLog: (ownEndpoint: OwnEndpoint) => Promise<void>;
  readonly closeEndpointLog: (ownEndpoint: OwnEndpoint) => void;
  /** @returns whether the daemon accepted it; events report the endpoint's new state */
  readonly sendEndpointCommand: (ownEndpoint: OwnEndpoint, command: EndpointCommand) => Promise<boolean>;
}

const PAGE_ENDPOINTS = 25;
/** A download changes an endpoint several times a second. */
const RELOAD_MS = 400;

/** The unique key of an endpoint. */
export const endpointKey = ({ namespace, endpoint }: OwnEndpoint): string => `${namespace}/${endpoint.name}`;

const paramsOf = ({ namespace, endpoint }: OwnEndpoint) => ({ namespace, name: endpoint.name });

export const endpointCommandKey = (ownEndpoint: OwnEndpoint): CommandKey => `endpoint ${endpointKey(ownEndpoint)}`;

export function createEndpointsSlice(
  set: SetState<EndpointsSlice>,
  get: GetState<SessionSlice>,
  send: SendCommand,
  daemon: DaemonClient,
): EndpointsSlice {
  const loadPage = createLatestLoad();
  const loadEndpoints = createPacedLoad(RELOAD_MS, (page) => {
    const query = { name: undefined, state: undefined, page: Number(page), limit: PAGE_ENDPOINTS };
    return loadPage<EndpointPage>(
      (signal) => daemon.call('listOwnEndpoints', { query, signal }),
      (next) => set(({ endpointPage }) => ({ endpointPage: next(endpointPage) })),
    );
  });
  return {
    endpointsStatus: null,
    endpointPage: null,
    endpointLogs: {},
    loadEndpoints,
    loadEndpointLog(ownEndpoint) {
      const key = endpointKey(ownEndpoint);
      const params = paramsOf(ownEndpoint);
      return load<EndpointLog>(
        () => callSignedIn(get, () => daemon.call('getEndpointLog', { params })),
        (next) => set(({ endpointLogs }) => ({ endpointLogs: { ...endpointLogs, [key]: next(endpointLogs[key]) } })),
      );
    },
    closeEndpointLog: (ownEndpoint) =>
      set(({ endpointLogs }) => ({ endpointLogs: without(endpointLogs, endpointKey(ownEndpoint)) })),
    async sendEndpointCommand(ownEndpoint, command) {
      const params = paramsOf(ownEndpoint);
      const call = () => callSignedIn(get, () => daemon.call(operations[command], { params }));
      return (await send(endpointCommandKey(ownEndpoint), call, command)) !== null;
    },
  };
}

export const endpointsReducers: Reducers<EndpointsSlice> = {
  snapshot: (_, { snapshot }) => ({ endpointsStatus: snapshot.endpoints }),
  'endpoints.changed': (_, { endpoints }) => ({ endpointsStatus: endpoints }),
};
