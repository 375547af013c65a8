import * as z from 'zod';
import { NewOwnApp, OwnApp, OwnAppId, OwnApps, PublicationPreview, PublishRequest } from '../apps/own-apps.ts';
import { Job } from '../jobs.ts';
import { IconFile } from './app-operations.ts';
import { at, type Operation, refused, tooManyJobs } from './operation.ts';

const ownAppId = z.object({ ownAppId: OwnAppId });
const unknown = refused('Not in the list of own apps, or its folder is gone');
const ownAppRefusals = { 404: unknown };
const hubFailed = refused('The hub failed; see the error');
const notSignedIn = refused('Not signed in to the hub, or the account may not write there');

/** The apps that the user writes. */
export const ownAppOperations = {
  listOwnApps: {
    ...at('GET /api/apps/own', OwnApps),
    summary: 'The apps that the user writes, each in its folder',
  },
  getOwnAppIcon: {
    ...at('GET /api/apps/own/{ownAppId}/icon', IconFile, { contentType: 'image/*' }),
    summary: 'The icon in the folder of an app, to be shown as an image',
    params: ownAppId,
    refusals: { 404: refused('Not in the list of own apps, or it has no icon that is shown') },
  },
  createOwnApp: {
    saves: true,
    ...at('POST /api/apps/own/create', OwnApp),
    summary: 'Create an app from a template, in a new folder',
    body: NewOwnApp,
    refusals: {
      404: refused('The folder to create it in does not exist'),
      409: refused('Its folder exists already, or nothing can be created there; nothing changed'),
    },
  },
  addOwnApp: {
    saves: true,
    ...at('POST /api/apps/own', OwnApp),
    summary: 'Add an existing folder to the list',
    body: z.strictObject({ folder: z.string().min(1).max(4096) }),
    refusals: { 404: refused('The folder does not exist') },
  },
  forgetOwnApp: {
    saves: true,
    ...at('DELETE /api/apps/own/{ownAppId}', OwnApps),
    summary: 'Remove an app from the list; its folder stays as it is',
    params: ownAppId,
    refusals: { 404: refused('Not in the list of own apps'), 409: refused('It runs from its folder') },
  },
  checkOwnApp: {
    ...at('POST /api/apps/own/{ownAppId}/check', Job, { status: 202 }),
    summary:
      'Check an app, also by building and loading it; replies at once with the job. The report is in the own app',
    params: ownAppId,
    refusals: { ...ownAppRefusals, 503: tooManyJobs },
  },
  fixOwnApp: {
    ...at('POST /api/apps/own/{ownAppId}/fix', OwnApp),
    summary: 'Repair what the last check calls fixable, and check again without a build',
    params: ownAppId,
    refusals: ownAppRefusals,
  },
  previewPublication: {
    ...at('GET /api/apps/own/{ownAppId}/publication', PublicationPreview),
    summary: 'What a publication of an app would change on the hub',
    params: ownAppId,
    refusals: {
      ...ownAppRefusals,
      409: notSignedIn,
      422: refused('It has problems that a check names'),
      502: hubFailed,
    },
  },
  publishOwnApp: {
    ...at('POST /api/apps/own/{ownAppId}/publish', Job, { status: 202 }),
    summary: 'Publish an app as a Space of the hub, or update it; replies at once with the job',
    params: ownAppId,
    body: PublishRequest,
    refusals: { 404: unknown, 409: notSignedIn, 503: tooManyJobs },
  },
  runOwnApp: {
    ...at('POST /api/apps/own/{ownAppId}/run', OwnApp, { status: 202 }),
    summary:
      'Run an app from its folder, and start it anew when a file changes; replies at once. The event `own-apps.changed` tells each change of `run`, `app-output.appended` what the app prints; each start is a run of its own, with a new `runId`',
    params: ownAppId,
    query: z.object({ replace: z.stringbool().optional().describe('Stop the running app first') }),
    refusals: { ...ownAppRefusals, 409: refused('Another app is running') },
  },
  stopOwnApp: {
    ...at('POST /api/apps/own/{ownAppId}/stop', OwnApp),
    summary: 'Stop an app that runs from its folder; replies once it has ended',
    params: ownAppId,
    refusals: ownAppRefusals,
  },
  openOwnApp: {
    ...at('POST /api/apps/own/{ownAppId}/open', z.object({ opened: z.string() })),
    summary: "Show an app's folder, or one of its files, on the daemon's machine",
    params: ownAppId,
    body: z.strictObject({ file: z.string().min(1).max(1024).optional() }),
    refusals: {
      404: refused('Not in the list of own apps, or no such file'),
      409: refused('The daemon runs where no window can be shown'),
    },
  },
} as const satisfies Record<string, Operation>;
