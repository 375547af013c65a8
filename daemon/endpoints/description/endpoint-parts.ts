import type { Endpoint, EndpointSetting } from '../../contract/endpoints/endpoint.ts';
import type { AddIssue } from './problems.ts';

/**
 * An endpoint without its status. Secrets and the image's password may hold plain values here: endpoint-secrets.ts
 * removes them before anything is stored.
 */
export type EndpointParts = Omit<Endpoint, 'status'>;

type Settings = Pick<EndpointParts, EndpointSetting>;

/** For a caller who omits some, and for a file of a version that did not have all. */
export const defaultSettings: Settings = {
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

/**
 * An endpoint as it was, with those of its new settings whose change alone needs no start: it is no update, and an
 * endpoint that failed is not started again.
 */
export function withoutUpdate(before: EndpointParts, { allowedOrigins, notifications }: EndpointParts): EndpointParts {
  return { ...before, allowedOrigins, notifications };
}

export function checkPrivateService(
  { type, privateService }: Pick<EndpointParts, 'type' | 'privateService'>,
  addIssue: AddIssue,
): void {
  if (!privateService || type === 'private') return;
  addIssue(['privateService'], `Only an endpoint of type private can have a privateService; this one is ${type}.`);
}
