import type * as z from 'zod';
import { DaemonStatus, Storage } from '../daemon.ts';
import { DaemonEvent } from '../events.ts';
import { aliasOperations } from './alias-operations.ts';
import { appOperations, needOperations, variableOperations } from './app-operations.ts';
import { catalogOperations, olderCatalogOperations } from './catalog-operations.ts';
import { desktopOperations, jobOperations, notificationOperations, sessionOperations } from './daemon-operations.ts';
import { endpointOperations } from './endpoint-operations.ts';
import { downloadCacheOperations, machineOperations } from './machine-operations.ts';
import { modelOperations } from './model-operations.ts';
import { at, type Operation, refused } from './operation.ts';
import { ownAppOperations } from './own-app-operations.ts';
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
  watchEvents: {
    ...at('GET /api/events', DaemonEvent, { contentType: 'text/event-stream' }),
    summary: 'Server-sent events: a snapshot first, then every change with its whole resource',
    refusals: { 503: refused('Too many pages are connected') },
  },
  ...appOperations,
  ...ownAppOperations,
  ...variableOperations,
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
  ...desktopOperations,
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;

type Success<Name extends OperationName> = (typeof operations)[Name]['success'];

/** The body of a successful reply, of the daemon or of a remote service. */
export type ReplyBody<Name extends OperationName> =
  | z.output<Success<Name>['schema']>
  | (Success<Name> extends { readonly relayed: infer Schema extends z.ZodType } ? z.output<Schema> : never);
