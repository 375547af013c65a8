import type { OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import { endpointId } from '../../../daemon/contract/endpoints/endpoint-id.ts';
import type { EndpointChange } from '../../../daemon/contract/endpoints/endpoint-request.ts';
import { hrefOf } from '../../navigation/route.ts';
import type { CommandKey, SendCommand } from '../base/commands.ts';

/** The operations of the commands for an endpoint. */
export const endpointOperations = {
  pause: 'pauseEndpoint',
  resume: 'resumeEndpoint',
  sleep: 'scaleEndpointToZero',
  delete: 'deleteEndpoint',
} as const;
export type EndpointCommand = keyof typeof endpointOperations;
/** A part of an endpoint's settings that shows its own refusals. */
type EndpointSettingsPart = 'form' | 'pages' | 'template';

const paramsOf = ({ namespace, endpoint }: OwnEndpoint) => ({ namespace, name: endpoint.name });

/** The unique key of an endpoint. */
export const endpointKey = (ownEndpoint: OwnEndpoint): string => endpointId(paramsOf(ownEndpoint));

/** Names its endpoint in the address of a page. */
export const endpointHref = (ownEndpoint: OwnEndpoint, tab?: string): string =>
  hrefOf('models', { endpointId: endpointKey(ownEndpoint), ...(tab !== undefined && { tab }) });

export const endpointSettingsKey = (ownEndpoint: OwnEndpoint): CommandKey =>
  `endpoint-settings ${endpointKey(ownEndpoint)}`;

export const endpointCommandKey = (ownEndpoint: OwnEndpoint): CommandKey => `endpoint ${endpointKey(ownEndpoint)}`;

export type EndpointsSlice = ReturnType<typeof createEndpointsSlice>;

export const createEndpointsSlice = (send: SendCommand) => ({
  /**
   * @param part the part of the page that shows a refusal; default: the form of its settings
   * @returns whether the daemon accepted it; events report the endpoint's new state
   */
  changeEndpoint: async (ownEndpoint: OwnEndpoint, body: EndpointChange, part: EndpointSettingsPart = 'form') => {
    const params = paramsOf(ownEndpoint);
    const key = endpointSettingsKey(ownEndpoint);
    return (await send(key, (call) => call('updateEndpoint', { params, body }), part)) !== null;
  },
  /** @returns whether the daemon accepted it; events report the endpoint's new state */
  sendEndpointCommand: async (ownEndpoint: OwnEndpoint, command: EndpointCommand) => {
    const params = paramsOf(ownEndpoint);
    const key = endpointCommandKey(ownEndpoint);
    return (await send<unknown>(key, (call) => call(endpointOperations[command], { params }), command)) !== null;
  },
});
