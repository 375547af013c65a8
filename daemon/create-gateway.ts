import type { RunTokens } from './access/run-tokens.ts';
import type { createModels } from './create-models.ts';
import { EndpointNotFound } from './endpoints/errors.ts';
import { Gateway, gatewayBounds } from './http/gateway/gateway.ts';
import { isSameMachine } from './http/security/access.ts';
import { type Authenticate, withRuns } from './http/security/authentication.ts';

export interface GatewayParts {
  readonly models: Pick<ReturnType<typeof createModels>, 'endpoints' | 'supervisor' | 'traffic'>;
  readonly authenticate: Authenticate;
  readonly runTokens: RunTokens;
}

/** Composes the gateway to endpoints. */
export function createGateway({ models, authenticate, runTokens }: GatewayParts): Gateway {
  const { endpoints, supervisor, traffic } = models;
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
    isSameMachine,
    elapsedMs: () => performance.now(),
  });
}
