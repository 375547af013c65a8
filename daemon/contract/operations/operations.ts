import * as z from 'zod';
import { DaemonStatus, Storage } from '../daemon.ts';
import { DaemonEvent, EventTypes } from '../events.ts';
import { aliasOperations } from './alias-operations.ts';
import { appOperations, needOperations, variableOperations } from './app-operations.ts';
import { catalogOperations, olderCatalogOperations } from './catalog-operations.ts';
import {
  desktopOperations,
  jobOperations,
  notificationOperations,
  sessionOperations,
  tokenOperations,
} from './daemon-operations.ts';
import { doctorOperations } from './doctor-operations.ts';
import { endpointOperations } from './endpoint-operations.ts';
import { downloadCacheOperations, machineOperations } from './machine-operations.ts';
import { modelOperations } from './model-operations.ts';
import { at, type Operation, refused } from './operation.ts';
import { ownAppOperations } from './own-app-operations.ts';
import { resetOperations } from './reset-operations.ts';
import { robotOperations } from './robot-operations.ts';
import { runOperations } from './run-operations.ts';
import { storeOperations } from './store-operations.ts';

/** Every operation by its name in the client and in OpenAPI. */
export const operations = {
  getDaemonStatus: {
    ...at('GET /api/daemon/status', DaemonStatus),
    summary: 'The status of the daemon, and whether it can install apps',
  },
  getStorage: {
    ...at('GET /api/daemon/storage', Storage),
    summary: 'The free space of the disk that holds the data folder',
  },
  restartDaemon: {
    ...at('POST /api/daemon/restart', z.object({ restarting: z.literal(true) }), { status: 202 }),
    summary: 'End the daemon with its app and models, fold the robot, and start it again; replies before that',
    caller: 'own-user',
    query: z.object({
      interrupt: z.stringbool().optional().describe('Also while an app runs or a job is under way, which it ends'),
    }),
    refusals: { 409: refused('An app runs or a job is under way, or nothing can start this daemon again') },
  },
  watchEvents: {
    ...at('GET /api/events', DaemonEvent, { contentType: 'text/event-stream' }),
    summary: 'Server-sent events: a snapshot first, then every change with its whole resource',
    query: z.object({
      types: EventTypes.optional().describe(
        'Only events of these types, separated by commas; the snapshot, heartbeats and the end of a session always come',
      ),
    }),
    refusals: { 503: refused('Too many pages are connected') },
  },
  ...appOperations,
  ...ownAppOperations,
  ...variableOperations,
  ...resetOperations,
  ...needOperations,
  ...runOperations,
  ...storeOperations,
  ...jobOperations,
  ...downloadCacheOperations,
  ...robotOperations,
  ...aliasOperations,
  ...catalogOperations,
  ...endpointOperations,
  ...olderCatalogOperations,
  ...modelOperations,
  ...machineOperations,
  ...notificationOperations,
  ...sessionOperations,
  ...doctorOperations,
  ...tokenOperations,
  ...desktopOperations,
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;

type Success<Name extends OperationName> = (typeof operations)[Name]['success'];

/** The body of a successful reply, of the daemon or of a remote service. */
export type ReplyBody<Name extends OperationName> =
  | z.output<Success<Name>['schema']>
  | (Success<Name> extends { readonly relayed: infer Schema extends z.ZodType } ? z.output<Schema> : never);
