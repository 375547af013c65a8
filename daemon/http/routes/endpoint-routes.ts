import type { Request } from 'express';
import type { Caller } from '../../access/caller.ts';
import type { Endpoint } from '../../contract/endpoints/endpoint.ts';
import { unusedSettingsText } from '../../endpoints/description/unused-settings.ts';
import type { StoredEndpoint } from '../../endpoints/records/stored-endpoint.ts';
import { GATEWAY_PATH } from '../requests/operation-paths.ts';
import type { Exchange, Routes } from './serve-operations.ts';
import type { ModelServices } from './services.ts';

interface OneEndpoint {
  readonly params: { readonly namespace: string; readonly name: string };
  readonly caller: Caller;
}

/** Endpoints and hardware, compatible with the hub's management interface. */
export function endpointRoutes({ management, canMail }: Pick<ModelServices, 'management' | 'canMail'>) {
  const endpointReply = endpointReplies(canMail);
  /** The route of a command to one endpoint. */
  const command =
    (run: (caller: Caller, namespace: string, name: string) => Promise<StoredEndpoint>) =>
    async ({ params: { namespace, name }, caller }: OneEndpoint, { request }: Exchange) =>
      endpointReply(await run(caller, namespace, name), namespace, request);
  return {
    listEndpoints: async ({ params: { namespace }, query, caller }, { request }) => {
      const { items, ...page } = await management.list(caller, namespace, query);
      return { items: items.map((endpoint) => endpointReply(endpoint, namespace, request)), ...page };
    },
    createEndpoint: async ({ params: { namespace }, body, caller }, { request }) =>
      endpointReply(await management.create(caller, namespace, body), namespace, request),
    updateEndpoint: async ({ params: { namespace, name }, body, caller }, { request }) =>
      endpointReply(await management.update(caller, namespace, name, body), namespace, request),
    getEndpoint: command((...of) => management.get(...of)),
    deleteEndpoint: command((...of) => management.remove(...of)),
    pauseEndpoint: command((...of) => management.apply('pause', ...of)),
    resumeEndpoint: command((...of) => management.apply('resume', ...of)),
    scaleEndpointToZero: command((...of) => management.apply('scale-to-zero', ...of)),
    getEndpointLog: ({ params, query, caller }) => management.log(caller, params.namespace, params.name, query),
    getEndpointLogFile: ({ params, query, caller }) => management.logFile(caller, params.namespace, params.name, query),
    listHardware: ({ params, caller }) => management.hardware(caller, params.namespace),
  } satisfies Partial<Routes>;
}

/** Makes an endpoint as replied: its address has the host of the request, its message names the settings without effect. */
export type EndpointReply = (
  endpoint: StoredEndpoint,
  namespace: string,
  request: Pick<Request, 'headers'>,
) => Endpoint;

/** @param canMail whether a mail server is set up */
export function endpointReplies(canMail: () => boolean): EndpointReply {
  return (endpoint, namespace, { headers }) => {
    const { status } = endpoint;
    const unused = unusedSettingsText(endpoint, canMail());
    return {
      ...endpoint,
      status: {
        ...status,
        message: unused === null ? status.message : `${status.message} ${unused}`,
        url: `http://${headers.host}${GATEWAY_PATH}/${namespace}/${endpoint.name}`,
      },
    };
  };
}
