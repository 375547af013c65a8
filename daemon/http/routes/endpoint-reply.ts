import type { Request } from 'express';
import type { Endpoint } from '../../contract/endpoints/endpoint.ts';
import { unusedSettingsText } from '../../endpoints/description/unused-settings.ts';
import type { StoredEndpoint } from '../../endpoints/records/stored-endpoint.ts';
import { GATEWAY_PATH } from '../requests/operation-paths.ts';

/** An endpoint as replied: its address has the host of the request, and its message names the settings without effect. */
export function endpointReply(
  endpoint: StoredEndpoint,
  namespace: string,
  { headers }: Pick<Request, 'headers'>,
): Endpoint {
  const { status } = endpoint;
  const unused = unusedSettingsText(endpoint);
  return {
    ...endpoint,
    status: {
      ...status,
      message: unused === null ? status.message : `${status.message} ${unused}`,
      url: `http://${headers.host}${GATEWAY_PATH}/${namespace}/${endpoint.name}`,
    },
  };
}
