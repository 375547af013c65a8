import type { RunTokens } from './access/run-tokens.ts';
import type { createModels } from './create-models.ts';
import { EndpointNotFound } from './endpoints/states/errors.ts';
import { Gateway, gatewayBounds } from './http/gateway/gateway.ts';
import { cacheBounds, cacheTerms, ResponseCache } from './http/gateway/response-cache.ts';
import { type Authenticate, withRuns } from './http/security/authentication.ts';
import type { RequestSources } from './http/security/request-sources.ts';
import type { Clock } from './shared/clock.ts';

export interface GatewayParts {
  readonly models: Pick<ReturnType<typeof createModels>, 'endpoints' | 'supervisor' | 'traffic'>;
  readonly authenticate: Authenticate;
  readonly runTokens: RunTokens;
  readonly sources: RequestSources;
  readonly clock: Clock;
}

/** Composes the gateway to endpoints. */
export function createGateway({ models, authenticate, runTokens, sources, clock }: GatewayParts): Gateway {
  const { endpoints, supervisor, traffic } = models;
  const cache = new ResponseCache({
    termsOf: (endpoint) => {
      const record = endpoints.record(endpoint);
      return record ? cacheTerms(record) : null;
    },
    elapsedMs: clock.elapsedMs,
    bounds: cacheBounds,
  });
  endpoints.subscribe((endpoint) => cache.endpointChanged(endpoint));
  return new Gateway({
    ...gatewayBounds,
    find: (namespace, name) =>
      endpoints.get(namespace, name).catch((error: unknown) => {
        if (error instanceof EndpointNotFound) return null;
        throw error;
      }),
    backends: supervisor,
    traffic,
    authenticate: withRuns(authenticate, runTokens),
    sources,
    appPages: (endpoint) => runTokens.pages(endpoint),
    clock,
    cache,
  });
}
