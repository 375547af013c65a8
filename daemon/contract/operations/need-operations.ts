import * as z from 'zod';
import { AppName } from '../apps/app-source.ts';
import { InstalledApp } from '../apps/apps.ts';
import { NeedName } from '../apps/needs.ts';
import { EndpointRef } from '../endpoints/endpoint.ts';
import { badBody, type Operation, refused, unauthorized } from './operation.ts';

/** The endpoints that the installed apps use. */
export const needOperations = {
  assignEndpoint: {
    saves: true,
    method: 'PUT',
    path: '/api/apps/installed/{appName}/needs/{need}',
    summary: 'Assign an endpoint to a need of an app, or none, from the next start on; replies with the app',
    caller: 'deployer-here',
    params: z.object({ appName: AppName, need: NeedName }),
    body: z.strictObject({ endpoint: EndpointRef.nullable() }),
    success: { status: 200, schema: InstalledApp },
    refusals: {
      400: { ...badBody, description: 'Invalid path or body, or the endpoint serves another task' },
      401: unauthorized,
      404: refused('Not installed, no such need, or no such endpoint for this token'),
    },
  },
} as const satisfies Record<string, Operation>;
