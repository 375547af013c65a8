import * as z from 'zod';
import { AppName } from '../apps/app-source.ts';
import {
  AppDisk,
  AppVariable,
  InstalledApp,
  InstallRequest,
  SampleApp,
  StartupApp,
  VariableName,
} from '../apps/apps.ts';
import { NeedName } from '../apps/needs.ts';
import { Readme, ReadmeImage, RepositoryPath } from '../apps/readme.ts';
import { EndpointRef } from '../endpoints/endpoint.ts';
import { Job } from '../jobs.ts';
import {
  at,
  badBody,
  badPath,
  badPathOrQuery,
  type Operation,
  refused,
  tooManyJobs,
  unauthorized,
} from './operation.ts';

const appName = z.object({ appName: AppName });
const notInstalled = refused('Not installed');
const appRefusals = { 400: badPath, 404: notInstalled };
const untouched = { ...appRefusals, 409: refused('The app is running or being installed; nothing changed') };

export const imageRefusals = {
  422: refused('Too large, or no image without scripts'),
  502: refused('The hub failed; see the error'),
};

/** The installed apps and their changes. */
export const appOperations = {
  listApps: {
    ...at('GET /api/apps/list'),
    summary: 'The installed apps',
    success: { status: 200, schema: z.array(InstalledApp) },
  },
  listSampleApps: {
    ...at('GET /api/apps/samples'),
    summary: 'The bundled apps',
    success: { status: 200, schema: z.array(SampleApp) },
  },
  installApp: {
    ...at('POST /api/apps/install'),
    summary: 'Install or update an app; replies at once with its job',
    body: InstallRequest,
    success: { status: 202, schema: Job },
    refusals: { 400: { ...badBody, description: 'Not an address of an app' }, 503: tooManyJobs },
  },
  getStartupApp: {
    ...at('GET /api/apps/startup-app'),
    summary:
      'The app that starts when the robot first wakes up, and whenever an antenna of the sleeping robot is touched',
    success: { status: 200, schema: StartupApp },
  },
  setStartupApp: {
    saves: true,
    ...at('PUT /api/apps/startup-app'),
    summary: 'Set the startup app, or none',
    body: StartupApp,
    success: { status: 200, schema: StartupApp },
    refusals: { 400: badBody, 404: notInstalled },
  },
  checkForUpdates: {
    ...at('POST /api/apps/check-for-updates'),
    summary: 'Check the sources of the installed apps for updates; replies with the apps when done',
    success: { status: 200, schema: z.array(InstalledApp) },
  },
  getApp: {
    ...at('GET /api/apps/installed/{appName}'),
    summary: 'One installed app',
    params: appName,
    success: { status: 200, schema: InstalledApp },
    refusals: appRefusals,
  },
  getAppDisk: {
    ...at('GET /api/apps/installed/{appName}/disk'),
    summary: 'The disk use of an app, in bytes',
    params: appName,
    success: { status: 200, schema: AppDisk },
    refusals: appRefusals,
  },
  getAppReadme: {
    ...at('GET /api/apps/installed/{appName}/readme'),
    summary: 'The README of the installed version of an app',
    params: appName,
    success: { status: 200, schema: Readme },
    refusals: appRefusals,
  },
  getAppImage: {
    ...at('GET /api/apps/installed/{appName}/image'),
    summary: "An image beside an app's README, from its folder or its repository on the hub",
    params: appName,
    query: z.object({ path: RepositoryPath }),
    success: { status: 200, schema: ReadmeImage },
    refusals: { 400: badPathOrQuery, 404: refused('Not installed, or no such file'), ...imageRefusals },
  },
  updateApp: {
    ...at('POST /api/apps/installed/{appName}/update'),
    summary: "Install the newest version from the app's source; replies at once with its job",
    params: appName,
    query: z.object({
      downloadPython: z.stringbool().optional().describe('Download a Python for the app if no installed one suits it'),
    }),
    success: { status: 202, schema: Job },
    refusals: { ...appRefusals, 400: badPathOrQuery, 409: refused('The app is pinned'), 503: tooManyJobs },
  },
  rollBackApp: {
    saves: true,
    ...at('POST /api/apps/installed/{appName}/rollback'),
    summary: 'Return to the earlier version at once; a second call returns to the newer one',
    params: appName,
    success: { status: 200, schema: InstalledApp },
    refusals: { ...untouched, 409: refused('The app is running, or has no earlier version') },
  },
  pinApp: {
    saves: true,
    ...at('PUT /api/apps/installed/{appName}/pin'),
    summary: 'Pin an app to its version, or unpin it',
    params: appName,
    body: z.strictObject({ pinned: z.boolean() }),
    success: { status: 200, schema: InstalledApp },
    refusals: appRefusals,
  },
  removeApp: {
    saves: true,
    ...at('DELETE /api/apps/installed/{appName}'),
    summary: 'Remove an app with its environments and files; if it is the startup app, none is set',
    params: appName,
    success: { status: 200, schema: z.array(InstalledApp) },
    refusals: untouched,
  },
} as const satisfies Record<string, Operation>;

/** The endpoints that the installed apps use. */
export const needOperations = {
  assignEndpoint: {
    saves: true,
    ...at('PUT /api/apps/installed/{appName}/needs/{need}'),
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

const variableRefusals = {
  ...appRefusals,
  409: refused('The variables were damaged and have been set aside; the next request finds none'),
};

/** The environment variables of the installed apps. */
export const variableOperations = {
  listAppVariables: {
    ...at('GET /api/apps/installed/{appName}/variables'),
    summary: 'The environment variables of an app; the value of a secret is null',
    params: appName,
    success: { status: 200, schema: z.array(AppVariable) },
    refusals: variableRefusals,
  },
  setAppVariable: {
    saves: true,
    ...at('PUT /api/apps/installed/{appName}/variables/{variable}'),
    summary: 'Set a variable, from the next start on. A secret is saved encrypted and never shown again',
    params: appName.extend({ variable: VariableName }),
    body: z.strictObject({ value: z.string().max(32_768), secret: z.boolean() }),
    success: { status: 200, schema: z.array(AppVariable) },
    refusals: variableRefusals,
  },
  removeAppVariable: {
    saves: true,
    ...at('DELETE /api/apps/installed/{appName}/variables/{variable}'),
    summary: 'Remove a variable',
    params: appName.extend({ variable: VariableName }),
    success: { status: 200, schema: z.array(AppVariable) },
    refusals: variableRefusals,
  },
} as const satisfies Record<string, Operation>;
