import express, { type Express, type Request, type RequestHandler } from 'express';
import type { DaemonStatus } from '../contract/daemon.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import type { Clock } from '../shared/clock.ts';
import { diskSpace } from '../shared/files/disk-space.ts';
import type { Logger } from '../shared/logger.ts';
import type { EventStream } from './event-stream.ts';
import type { Gateway } from './gateway/gateway.ts';
import { gatewayProblemHandler } from './gateway/gateway-refusal.ts';
import { catalogApiDocument } from './openapi.ts';
import { problemHandler } from './problem.ts';
import { ForeignRequest, MethodNotAllowed, PathNotFound } from './requests/errors.ts';
import { isGatewayUrl, isInterfacePath } from './requests/operation-paths.ts';
import { type AliasServices, aliasRoutes } from './routes/alias-routes.ts';
import { type AppServices, appRoutes } from './routes/app-routes.ts';
import { type CatalogServices, catalogRoutes } from './routes/catalog-routes.ts';
import { type EndpointServices, endpointRoutes } from './routes/endpoint-routes.ts';
import { type MachineServices, machineRoutes } from './routes/machine-routes.ts';
import { type ModelServices, modelRoutes } from './routes/model-routes.ts';
import { type NotificationServices, notificationRoutes } from './routes/notification-routes.ts';
import { type OwnAppServices, ownAppRoutes } from './routes/own-app-routes.ts';
import { type RobotServices, robotRoutes } from './routes/robot-routes.ts';
import { type RunServices, runRoutes } from './routes/run-routes.ts';
import { type Routes, serve } from './routes/serve-operations.ts';
import { type SessionServices, sessionRoutes } from './routes/session-routes.ts';
import { type StoreServices, storeRoutes } from './routes/store-routes.ts';
import type { Access } from './security/access.ts';
import { foreignReason, otherOrigin } from './security/origin-guard.ts';
import { securityHeaders } from './security/security-headers.ts';
import { signIn, watchingSession } from './security/session-cookie.ts';

export interface HttpServices
  extends RobotServices,
    AliasServices,
    SessionServices,
    NotificationServices,
    OwnAppServices {
  readonly models: CatalogServices &
    EndpointServices &
    MachineServices &
    ModelServices & {
      /** Settles once the catalog is open. */
      opened(): Promise<void>;
    };
  readonly apps: AppServices & RunServices & StoreServices;
  readonly jobs: JobQueue;
  readonly events: EventStream;
  readonly status: () => DaemonStatus;
  /** The names of this daemon, `name:port`; known once it listens. */
  readonly hosts: () => ReadonlySet<string>;
  readonly access: Access;
  /** Passes requests to the replicas of endpoints. */
  readonly gateway: Pick<Gateway, 'allowPage' | 'handle'>;
  /** Serves the page at `/`. */
  readonly dashboard: RequestHandler;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The daemon's REST interface and its page, as one Express application. */
export function httpApp(services: HttpServices): Express {
  const { hosts, access, authenticate, models, jobs, events, clock, log } = services;
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
    getDaemonStatus: () => services.status(),
    getStorage: async () => {
      const { dataDir } = services;
      return { dataDir, disk: await diskSpace(dataDir).catch(() => null) };
    },
    watchEvents: async (_input, { request, response }) => {
      const session = await watchingSession(services.sessions, request, response);
      return () => events.attach(response, session);
    },
    listJobs: () => jobs.list(),
    getJob: ({ params }) => jobs.get(params.jobId),
    getJobLog: ({ params }) => jobs.log(params.jobId),
    cancelJob: ({ params }) => jobs.cancel(params.jobId),
    ...appRoutes(services.apps),
    ...runRoutes(services.apps),
    ...storeRoutes(services.apps),
    ...ownAppRoutes(services),
    ...robotRoutes(services),
    ...aliasRoutes(services),
    ...sessionRoutes(services),
    ...notificationRoutes(services),
    ...waitingFor(() => models.opened(), {
      ...catalogRoutes(models),
      ...endpointRoutes(models),
      ...modelRoutes(models),
      ...machineRoutes(clock, models),
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
