import type * as z from 'zod';
import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { EndpointListing, EndpointsStatus, OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import { endpointId } from '../../../daemon/contract/endpoints/endpoint-id.ts';
import type { EndpointChange } from '../../../daemon/contract/endpoints/endpoint-request.ts';
import { hrefOf } from '../../navigation/route.ts';
import type { CommandKey, SendCommand } from '../base/commands.ts';
import { createLatestLoad, type Loaded } from '../base/loaded.ts';
import { createPacedLoad } from '../base/paced-load.ts';
import type { GetState, Reducers, SetState } from '../base/slice.ts';
import { callSignedIn, type SessionSlice } from '../daemon/session-slice.ts';

const operations = {
  pause: 'pauseEndpoint',
  resume: 'resumeEndpoint',
  sleep: 'scaleEndpointToZero',
  delete: 'deleteEndpoint',
} as const;
export type EndpointCommand = keyof typeof operations;
/** A part of an endpoint's settings that shows its own refusals. */
type EndpointSettingsPart = 'form' | 'pages' | 'template';

type EndpointPage = z.infer<typeof EndpointListing>;

export interface EndpointsSlice {
  /** The number of endpoints and their revision; null until the first snapshot. */
  readonly endpointsStatus: EndpointsStatus | null;
  readonly endpointPage: Loaded<EndpointPage> | null;
  /** Loads a page, counted from 1; the same page again at most a few times a second. */
  readonly loadEndpoints: (page: string) => Promise<void>;
  /**
   * @param part the part of the page that shows a refusal; default: the form of its settings
   * @returns whether the daemon accepted it; events report the endpoint's new state
   */
  readonly changeEndpoint: (
    ownEndpoint: OwnEndpoint,
    change: EndpointChange,
    part?: EndpointSettingsPart,
  ) => Promise<boolean>;
  /** @returns whether the daemon accepted it; events report the endpoint's new state */
  readonly sendEndpointCommand: (ownEndpoint: OwnEndpoint, command: EndpointCommand) => Promise<boolean>;
}

const PAGE_ENDPOINTS = 25;
/** A download changes an endpoint several times a second. */
const RELOAD_MS = 400;

const paramsOf = ({ namespace, endpoint }: OwnEndpoint) => ({ namespace, name: endpoint.name });

/** The unique key of an endpoint. */
export const endpointKey = (ownEndpoint: OwnEndpoint): string => endpointId(paramsOf(ownEndpoint));

/** Names its endpoint in the address of a page. */
export const endpointHref = (ownEndpoint: OwnEndpoint, tab?: string): string =>
  hrefOf('models', { endpointId: endpointKey(ownEndpoint), ...(tab !== undefined && { tab }) });

export const endpointSettingsKey = (ownEndpoint: OwnEndpoint): CommandKey =>
  `endpoint-settings ${endpointKey(ownEndpoint)}`;

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
    loadEndpoints,
    async changeEndpoint(ownEndpoint, body, part = 'form') {
      const params = paramsOf(ownEndpoint);
      const call = () => callSignedIn(get, () => daemon.call('updateEndpoint', { params, body }));
      return (await send(endpointSettingsKey(ownEndpoint), call, part)) !== null;
    },
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
