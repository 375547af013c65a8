import type { Endpoint } from '../contract/endpoint.ts';
import type { Complain } from './problems.ts';

/**
 * All of an endpoint but how it is doing. Its secrets and the password of its image may be values here: they go no
 * further than to endpoint-secrets.ts, which takes them out.
 */
export type EndpointParts = Omit<Endpoint, 'status'>;

type Choices = Pick<
  EndpointParts,
  | 'cacheHttpResponses'
  | 'customRouter'
  | 'experimentalFeatures'
  | 'network'
  | 'notifications'
  | 'privateService'
  | 'route'
  | 'tags'
>;

/** What an endpoint has that nothing is said of. */
export const plainChoices: Choices = {
  cacheHttpResponses: false,
  customRouter: null,
  experimentalFeatures: { cacheHttpResponses: false, loadBalancer: 'random', mcpLb: null, skipRepoDownload: false },
  network: null,
  notifications: { email: false, push: false },
  privateService: null,
  route: null,
  tags: [],
};

export function checkPrivateService(
  { type, privateService }: Pick<EndpointParts, 'type' | 'privateService'>,
  complain: Complain,
): void {
  if (!privateService || type === 'private') return;
  complain(['privateService'], `Only an endpoint of type private can have a privateService, and this is ${type}.`);
}
