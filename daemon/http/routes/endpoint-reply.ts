import type { Request } from 'express';
import type { Endpoint } from '../../contract/endpoints/endpoint.ts';
import { unusedSettingsText } from '../../endpoints/description/unused-settings.ts';
import type { StoredEndpoint } from '../../endpoints/records/stored-endpoint.ts';
import { GATEWAY_PATH } from '../requests/operation-paths.ts';

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
