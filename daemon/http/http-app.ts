import express, { type Express, type Request, type RequestHandler } from 'express';
import type { DaemonStatus } from '../contract/daemon.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import type { Clock } from '../shared/clock.ts';
import { diskSpace } from '../shared/files/disk-space.ts';
import type { Logger } from '../shared/logger.ts';
import { apiDescription } from './api-description.ts';
import type { EventStream } from './events/event-stream.ts';
import type { Gateway } from './gateway/gateway.ts';
import { gatewayProblemHandler } from './gateway/gateway-refusal.ts';
import { isGatewayUrl } from './gateway/gateway-target.ts';
import { problemHandler } from './problem.ts';
import { ForeignRequest, PathNotFound } from './requests/errors.ts';
import { isInterfacePath } from './requests/operation-paths.ts';
import { type AliasServices, aliasRoutes } from './routes/alias-routes.ts';
import { type AppServices, appRoutes } from './routes/app-routes.ts';
import { type CatalogServices, catalogRoutes } from './routes/catalog-routes.ts';
import { type EndpointServices, endpointRoutes } from './routes/endpoint-routes.ts';
import { jobRoutes } from './routes/job-routes.ts';
import { type ModelFileServices, modelFileRoutes } from './routes/model-file-routes.ts';
import { type ModelServices, modelRoutes } from './routes/model-routes.ts';
import { type NeedServices, needRoutes } from './routes/need-routes.ts';
import { type NotificationServices, notificationRoutes } from './routes/notification-routes.ts';
import { type OwnAppServices, ownAppRoutes } from './routes/own-app-routes.ts';
import { type RobotServices, robotRoutes } from './routes/robot-routes.ts';
import { type RunServices, runRoutes } from './routes/run-routes.ts';
import { type RuntimeServices, runtimeRoutes } from './routes/runtime-routes.ts';
import { type Routes, serve } from './routes/serve-operations.ts';
import { type SessionServices, sessionRoutes } from './routes/session-routes.ts';
import { type StoreServices, storeRoutes } from './routes/store-routes.ts';
import { type VariableServices, variableRoutes } from './routes/variable-routes.ts';
import type { Access } from './security/access.ts';
import { foreignReason, otherOrigin } from './security/origin-guard.ts';
import { securityHeaders } from './security/security-headers.ts';
import { watchingSession } from './security/session-cookie.ts';
import { signIn } from './security/sign-in.ts';

export interface HttpServices
  extends RobotServices,
    AliasServices,
    SessionServices,
    NotificationServices,
    OwnAppServices {
  readonly models: CatalogServices &
    EndpointServices &
    ModelFileServices &
    ModelServices &
    RuntimeServices & {
      /** Settles once the catalog is open. */
      opened(): Promise<void>;
    };
  readonly apps: AppServices & NeedServices & RunServices & StoreServices & VariableServices;
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
  const { hosts, access, authenticate, models, events, clock, log } = services;
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
    ...appRoutes(services.apps),
    ...runRoutes(services.apps),
    ...storeRoutes(services.apps),
    ...ownAppRoutes(services),
    ...variableRoutes(services.apps),
    ...needRoutes(services.apps),
    ...robotRoutes(services),
    ...aliasRoutes(services),
    ...jobRoutes(services.jobs),
    ...sessionRoutes(services),
    ...notificationRoutes(services),
    ...waitingFor(() => models.opened(), {
      ...catalogRoutes(models),
      ...endpointRoutes(models),
      ...modelRoutes(models),
      ...modelFileRoutes(clock, models),
      ...runtimeRoutes(models),
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
