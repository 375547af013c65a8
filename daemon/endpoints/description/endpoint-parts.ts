import type { Endpoint, EndpointSetting } from '../../contract/endpoints/endpoint.ts';
import type { AddIssue } from './problems.ts';

/**
 * An endpoint without its status. Secrets and the image's password may hold plain values here: endpoint-secrets.ts
 * removes them before anything is stored.
 */
export type EndpointParts = Omit<Endpoint, 'status'>;

type Settings = Pick<EndpointParts, EndpointSetting>;

interface Setting<Value> {
  /** For a caller who omits it, and for a file of a version that did not have it. */
  readonly fallback: Value;
  /** Whether its change alone needs no start: it is no update, and an endpoint that failed is not started again. */
  readonly needsNoStart: boolean;
}

/** All settings of an endpoint beside its model and its compute. */
const settings: { readonly [Name in EndpointSetting]: Setting<Settings[Name]> } = {
  allowedOrigins: { fallback: [], needsNoStart: true },
  cacheHttpResponses: { fallback: false, needsNoStart: false },
  customRouter: { fallback: null, needsNoStart: false },
  experimentalFeatures: {
    fallback: { cacheHttpResponses: false, loadBalancer: 'random', mcpLb: null, skipRepoDownload: false },
    needsNoStart: false,
  },
  network: { fallback: null, needsNoStart: false },
  notifications: { fallback: { email: false, push: false }, needsNoStart: true },
  privateService: { fallback: null, needsNoStart: false },
  route: { fallback: null, needsNoStart: false },
  tags: { fallback: [], needsNoStart: false },
};
const names = Object.keys(settings) as EndpointSetting[];

/** Defaults for settings that the caller omitted. */
export const defaultSettings = Object.fromEntries(names.map((name) => [name, settings[name].fallback])) as Settings;

/** An endpoint as it was, with those of its new settings that need no start. */
export function withoutUpdate(before: EndpointParts, after: EndpointParts): EndpointParts {
  const silent = names.filter((name) => settings[name].needsNoStart);
  return { ...before, ...Object.fromEntries(silent.map((name) => [name, after[name]])) };
}

export function checkPrivateService(
  { type, privateService }: Pick<EndpointParts, 'type' | 'privateService'>,
  addIssue: AddIssue,
): void {
  if (!privateService || type === 'private') return;
  addIssue(['privateService'], `Only an endpoint of type private can have a privateService; this one is ${type}.`);
}
