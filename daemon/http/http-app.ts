import express, { type Express, type Request, type RequestHandler } from 'express';
import type { Logger } from '../shared/logger.ts';
import type { EventStream } from './event-stream.ts';
import type { Gateway } from './gateway/gateway.ts';
import { gatewayProblemHandler } from './gateway/gateway-refusal.ts';
import { catalogApiDocument } from './openapi.ts';
import { problemHandler } from './problem.ts';
import { ForeignRequest, MethodNotAllowed, PathNotFound } from './requests/errors.ts';
import { isGatewayUrl, isInterfacePath } from './requests/operation-paths.ts';
import { aliasRoutes } from './routes/alias-routes.ts';
import { appRoutes } from './routes/app-routes.ts';
import { catalogRoutes } from './routes/catalog-routes.ts';
import { daemonRoutes } from './routes/daemon-routes.ts';
import { endpointRoutes } from './routes/endpoint-routes.ts';
import { modelRoutes } from './routes/model-routes.ts';
import { robotRoutes } from './routes/robot-routes.ts';
import { type Routes, serve } from './routes/serve-operations.ts';
import type { RouteServices } from './routes/services.ts';
import type { Access } from './security/access.ts';
import { foreignReason, otherOrigin } from './security/origin-guard.ts';
import { securityHeaders } from './security/security-headers.ts';
import { signIn, watchingSession } from './security/session-cookie.ts';

export interface HttpServices extends RouteServices {
  /** The names of this daemon, `name:port`; known once it listens. */
  readonly hosts: () => ReadonlySet<string>;
  readonly access: Access;
  readonly events: EventStream;
  /** Passes requests to the replicas of endpoints. */
  readonly gateway: Pick<Gateway, 'allowPage' | 'handle'>;
  /** Serves the page at `/`. */
  readonly dashboard: RequestHandler;
  readonly log: Logger;
}

/** The daemon's REST interface and its page, as one Express application. */
export function httpApp(services: HttpServices): Express {
  const { hosts, access, authenticate, models, clock, log } = services;
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.set('etag', false);
  app.enable('case sensitive routing'); // like `operationsAt`
  app.use(securityHeaders);
  app.use(async (request, response, next) => {
    const reason = foreignReason(request, hosts());
    if (reason === null) return next();
    const origin = isGatewayUrl(request.url) ? otherOrigin(request, hosts()) : null;
    if (origin === null) throw new ForeignRequest(reason);
    if (!(await services.gateway.allowPage(origin, request, response))) next();
  });
  // Before the door for other machines: each endpoint has its own rules.
  app.use(services.gateway.handle);
  app.use(async (request, response, next) => {
    const refusal = await access.refusal(request, request.path);
    if (refusal) throw refusal;
    if (isInterfacePath(request.path)) response.setHeader('Cache-Control', 'no-store');
    next();
  });
  app.use(signIn(services.sessions));
  const routes: Routes = {
    watchEvents: async ({ query: { types } }, { request, response }) => {
      const session = await watchingSession(services.sessions, request, response);
      return () => services.events.attach(response, { session, types });
    },
    ...daemonRoutes(services),
    ...appRoutes(services),
    ...robotRoutes(services),
    ...aliasRoutes(services),
    ...waitingFor(() => models.opened(), {
      ...catalogRoutes(models),
      ...endpointRoutes(models),
      ...modelRoutes(clock, models),
    }),
  };
  app.use(serve(routes, authenticate));
  apiDescription(app);
  app.use((request, _response, next) => (isInterfacePath(request.path) ? notFound(request) : next()));
  app.use(services.dashboard);
  app.use(notFound);
  app.use(gatewayProblemHandler(clock, log));
  app.use(problemHandler(log, services.dataDir));
  return app;
}

/** Wraps routes so that they wait for `ready`. Unauthorized and invalid requests are refused without waiting. */
function waitingFor<Some extends Partial<Routes>>(ready: () => Promise<void>, routes: Some): Some {
  const waiting = Object.entries<(...exchange: never[]) => unknown>(routes).map(([name, route]) => [
    name,
    async (...exchange: never[]) => {
      await ready();
      return route(...exchange);
    },
  ]);
  return Object.fromEntries(waiting) as Some;
}

function notFound({ path }: Request): never {
  throw new PathNotFound(path.slice(0, 200));
}

/** Serves the OpenAPI document of the catalog's interface, and redirects people to its reference page. */
function apiDescription(app: Express): void {
  let text: string | undefined;
  app.get('/api/v1/openapi.json', (_request, response) => {
    // Built at the first request: it takes some 50 ms, too long for the start.
    text ??= JSON.stringify(catalogApiDocument());
    response.type('json').send(text);
  });
  app.get('/api/v1', (_request, response) => response.redirect(302, '/api-reference/'));
  app.all(['/api/v1', '/api/v1/openapi.json'], ({ method }) => {
    throw new MethodNotAllowed(method, ['GET', 'HEAD']);
  });
}
