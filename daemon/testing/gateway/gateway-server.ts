import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { Caller } from '../../access/caller.ts';
import { endpointId } from '../../contract/endpoints/endpoint-id.ts';
import { TrafficRecords } from '../../endpoints/traffic-records.ts';
import type { GatewayEndpoint } from '../../http/gateway/admission.ts';
import { Gateway, type GatewayDeps, gatewayBounds } from '../../http/gateway/gateway.ts';
import { gatewayProblemHandler } from '../../http/gateway/gateway-refusal.ts';
import { type CacheTerms, cacheBounds, ResponseCache } from '../../http/gateway/response-cache.ts';
import { bearerToken } from '../../http/security/authentication.ts';
import { securityHeaders } from '../../http/security/security-headers.ts';
import { systemClock } from '../../shared/clock.ts';
import { createLogger } from '../../shared/logger.ts';
import { type TestBackends, testBackends } from './test-backends.ts';

/** The endpoint behind the gateway. */
export const CHAT = { namespace: 'lab', name: 'chat' };

/** The gateway alone, over real HTTP: with the one endpoint lab/chat, whose creator's token is `creator`. */
export interface GatewayServer extends AsyncDisposable {
  /** The address of the endpoint. */
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  readonly gateway: Gateway;
  readonly backends: TestBackends;
  readonly traffic: TrafficRecords;
  readonly cache: ResponseCache;
}

export interface GatewayServerOptions extends Partial<GatewayDeps> {
  readonly endpoint?: Partial<GatewayEndpoint>;
  /** The terms of the endpoint's cache; default: it keeps no answers. */
  readonly cacheTerms?: () => CacheTerms | null;
}

/** @param socketPath the replica; null: the endpoint sleeps */
export async function startGateway(
  socketPath: string | null,
  { endpoint, cacheTerms = () => null, clock = systemClock, ...more }: GatewayServerOptions = {},
): Promise<GatewayServer> {
  const backends = testBackends(clock, socketPath);
  const traffic = new TrafficRecords(clock);
  const served = {
    type: 'public',
    allowedOrigins: [],
    network: null,
    healthRoute: '/health',
    status,
    ...endpoint,
  } as GatewayEndpoint;
  const cache = new ResponseCache({ termsOf: cacheTerms, elapsedMs: clock.elapsedMs, bounds: cacheBounds });
  const gateway = new Gateway({
    ...gatewayBounds,
    cache,
    find: async (namespace, name) => (endpointId({ namespace, name }) === endpointId(CHAT) ? served : null),
    backends,
    traffic,
    authenticate: async ({ headers }) => callers[bearerToken(headers) ?? ''] ?? null,
    sources: {
      isFromHere: () => true,
      hasRightsOfHere: () => true,
      addressOf: ({ socket }) => socket.remoteAddress ?? '',
    },
    appPages: () => [],
    clock,
    ...more,
  });
  const app = express();
  app.disable('x-powered-by');
  app.use(securityHeaders);
  app.use(gateway.handle);
  app.use(gatewayProblemHandler(clock, createLogger('error')));
  const server = createServer(app);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/endpoints/lab/chat`,
    port,
    server,
    gateway,
    backends,
    traffic,
    cache,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await gateway.close();
    },
  };
}

const status = { createdBy: { id: 'creator', name: 'creator' } } as GatewayEndpoint['status'];
const callers: { readonly [text: string]: Caller | undefined } = {
  creator: { kind: 'token', id: 'creator', name: 'creator', scopes: ['deploy'], namespaces: null },
  stranger: { kind: 'token', id: 'stranger', name: 'stranger', scopes: ['daemon'], namespaces: null },
};
