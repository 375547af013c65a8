import express, { type Express, type RequestHandler, Router } from 'express';
import type { DaemonStatus } from '../contract/daemon.ts';
import { operations } from '../contract/operations.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import type { Logger } from '../shared/logger.ts';
import type { Access } from './access.ts';
import { apiDescription } from './api-description.ts';
import { type AppsServices, appsRoutes } from './apps-routes.ts';
import { requireCaller } from './caller.ts';
import { type CatalogServices, catalogRoutes } from './catalog-routes.ts';
import { type EndpointServices, endpointRoutes } from './endpoint-routes.ts';
import { ForeignRequest, Unauthorized } from './errors.ts';
import type { EventStream } from './event-stream.ts';
import { jobsRoutes } from './jobs-routes.ts';
import { knownPaths } from './known-paths.ts';
import { type ModelServices, modelRoutes } from './model-routes.ts';
import { foreignReason } from './origin-guard.ts';
import { problemHandler } from './problem.ts';
import { type RobotServices, robotRoutes } from './robot-routes.ts';
import { type RunServices, runRoutes } from './run-routes.ts';
import { securityHeaders } from './security-headers.ts';
import { serve } from './serve.ts';
import { type SessionServices, sessionRoutes } from './session-routes.ts';
import { signIn } from './sign-in.ts';
import { type StoreServices, storeRoutes } from './store-routes.ts';
import { type VariablesServices, variablesRoutes } from './variables-routes.ts';

export interface HttpServices extends RobotServices, SessionServices {
  readonly models: CatalogServices &
    EndpointServices &
    ModelServices & {
      /** Settles once the catalog is open. */
      opened(): Promise<void>;
    };
  readonly apps: AppsServices & RunServices & StoreServices & VariablesServices;
  readonly jobs: JobQueue;
  readonly events: EventStream;
  readonly status: () => DaemonStatus;
  /** What this daemon is called, `name:port`; known once it listens. */
  readonly hosts: () => ReadonlySet<string>;
  readonly access: Access;
  /** Serves the page at `/`. */
  readonly dashboard: RequestHandler;
  readonly log: Logger;
}

/** The daemon's REST interface and its page, as one Express application. */
export function httpApp(services: HttpServices): Express {
  const { hosts, access, events, log } = services;
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.set('etag', false);
  app.enable('case sensitive routing'); // as the guard reads paths
  app.use(securityHeaders);
  app.use(async (request, _response, next) => {
    const reason = foreignReason(request, hosts());
    if (reason) throw new ForeignRequest(reason);
    if (!(await access.mayEnter(request))) throw new Unauthorized();
    next();
  });
  app.use(requireCaller(services.callerOf)); // before bodies are read and paths decoded
  app.use(signIn(services.sessions));

  const api = Router({ caseSensitive: true });
  api.use((_request, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    next();
  });
  serve(api, 'getDaemonStatus', services.status);
  api.get(operations.watchEvents.path, events.attach);
  appsRoutes(api, services.apps);
  runRoutes(api, services.apps);
  storeRoutes(api, services.apps);
  variablesRoutes(api, services.apps);
  robotRoutes(api, services);
  jobsRoutes(api, services.jobs);
  sessionRoutes(api, services);
  apiDescription(api);
  api.use(['/api', '/v2'], async (_request, _response, next) => {
    await services.models.opened();
    next();
  });
  catalogRoutes(api, services.models);
  endpointRoutes(api, services.models);
  modelRoutes(api, services.models);
  api.use(['/api', '/v2'], knownPaths);
  app.use(api);

  app.use(services.dashboard);
  app.use(knownPaths);
  app.use(problemHandler(log));
  return app;
}
