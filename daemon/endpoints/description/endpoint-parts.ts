import type { Endpoint } from '../../contract/endpoints/endpoint.ts';
import type { AddIssue } from './problems.ts';

/**
 * An endpoint without its status. Secrets and the image's password may hold plain values here: endpoint-secrets.ts
 * removes them before anything is stored.
 */
export type EndpointParts = Omit<Endpoint, 'status'>;

type Choices = Pick<
  EndpointParts,
  | 'allowedOrigins'
  | 'cacheHttpResponses'
  | 'customRouter'
  | 'experimentalFeatures'
  | 'network'
  | 'notifications'
  | 'privateService'
  | 'route'
  | 'tags'
>;

/** Defaults for fields that the caller omitted. */
export const defaultChoices: Choices = {
  allowedOrigins: [],
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
  addIssue: AddIssue,
): void {
  if (!privateService || type === 'private') return;
  addIssue(['privateService'], `Only an endpoint of type private can have a privateService; this one is ${type}.`);
}
