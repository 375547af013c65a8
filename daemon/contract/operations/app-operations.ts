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
import { at, badBody, type Operation, refused, tooManyJobs } from './operation.ts';

const appName = z.object({ appName: AppName });
const notInstalled = refused('Not installed');
const appRefusals = { 404: notInstalled };
const untouched = { ...appRefusals, 409: refused('The app is running or being installed; nothing changed') };

export const imageRefusals = {
  422: refused('Too large, or no image without scripts'),
  502: refused('The hub failed; see the error'),
};

/** The body of a reply that is an icon. */
export const IconFile = z.string().describe('The file, an SVG or a PNG');

/** The installed apps and their changes. */
export const appOperations = {
  listApps: {
    ...at('GET /api/apps/list', z.array(InstalledApp)),
    summary: 'The installed apps',
  },
  listSampleApps: {
    ...at('GET /api/apps/samples', z.array(SampleApp)),
    summary: 'The bundled apps',
  },
  getSampleIcon: {
    ...at('GET /api/apps/samples/{sampleName}/icon', IconFile, { contentType: 'image/*' }),
    summary: 'The icon of a bundled app, to be shown as an image',
    params: z.object({ sampleName: AppName }),
    refusals: { 404: refused('No such app, or it has no icon') },
  },
  installApp: {
    ...at('POST /api/apps/install', Job, { status: 202 }),
    summary: 'Install or update an app; replies at once with its job',
    body: InstallRequest,
    refusals: { 400: { ...badBody, description: 'Not an address of an app, or no folder is there' }, 503: tooManyJobs },
  },
  getStartupApp: {
    ...at('GET /api/apps/startup-app', StartupApp),
    summary:
      'The app that starts when the robot first wakes up, and whenever an antenna of the sleeping robot is touched',
  },
  setStartupApp: {
    saves: true,
    ...at('PUT /api/apps/startup-app', StartupApp),
    summary: 'Set the startup app, or none',
    body: StartupApp,
    refusals: { 404: notInstalled },
  },
  checkForUpdates: {
    ...at('POST /api/apps/check-for-updates', z.array(InstalledApp)),
    summary: 'Check the sources of the installed apps for updates; replies with the apps when done',
  },
  getApp: {
    ...at('GET /api/apps/installed/{appName}', InstalledApp),
    summary: 'One installed app',
    params: appName,
    refusals: appRefusals,
  },
  getAppDisk: {
    ...at('GET /api/apps/installed/{appName}/disk', AppDisk),
    summary: 'The disk use of an app, in bytes',
    params: appName,
    refusals: appRefusals,
  },
  getAppReadme: {
    ...at('GET /api/apps/installed/{appName}/readme', Readme),
    summary: 'The README of the installed version of an app',
    params: appName,
    refusals: appRefusals,
  },
  getAppImage: {
    ...at('GET /api/apps/installed/{appName}/image', ReadmeImage),
    summary: "An image beside an app's README, from its folder or its repository on the hub",
    params: appName,
    query: z.object({ path: RepositoryPath }),
    refusals: { 404: refused('Not installed, or no such file'), ...imageRefusals },
  },
  getAppIcon: {
    ...at('GET /api/apps/installed/{appName}/icon', IconFile, { contentType: 'image/*' }),
    summary: "An app's own icon, to be shown as an image",
    params: appName,
    refusals: { 404: refused('Not installed, or it has no icon') },
  },
  updateApp: {
    ...at('POST /api/apps/installed/{appName}/update', Job, { status: 202 }),
    summary: "Install the newest version from the app's source; replies at once with its job",
    params: appName,
    query: z.object({
      downloadPython: z.stringbool().optional().describe('Download a Python for the app if no installed one suits it'),
    }),
    refusals: { ...appRefusals, 409: refused('The app is pinned'), 503: tooManyJobs },
  },
  rollBackApp: {
    saves: true,
    ...at('POST /api/apps/installed/{appName}/rollback', InstalledApp),
    summary: 'Return to the earlier version at once; a second call returns to the newer one',
    params: appName,
    refusals: { ...untouched, 409: refused('The app is running, or has no earlier version') },
  },
  pinApp: {
    saves: true,
    ...at('PUT /api/apps/installed/{appName}/pin', InstalledApp),
    summary: 'Pin an app to its version, or unpin it',
    params: appName,
    body: z.strictObject({ pinned: z.boolean() }),
    refusals: appRefusals,
  },
  removeApp: {
    saves: true,
    ...at('DELETE /api/apps/installed/{appName}', z.array(InstalledApp)),
    summary: 'Remove an app with its environments and files; if it is the startup app, none is set',
    params: appName,
    refusals: untouched,
  },
} as const satisfies Record<string, Operation>;

/** The endpoints that the installed apps use. */
export const needOperations = {
  assignEndpoint: {
    saves: true,
    ...at('PUT /api/apps/installed/{appName}/needs/{need}', InstalledApp),
    summary: 'Assign an endpoint to a need of an app, or none, from the next start on; replies with the app',
    caller: 'deployer-here',
    params: z.object({ appName: AppName, need: NeedName }),
    body: z.strictObject({ endpoint: EndpointRef.nullable() }),
    refusals: {
      400: { ...badBody, description: 'Invalid path or body, or the endpoint serves another task' },
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
    ...at('GET /api/apps/installed/{appName}/variables', z.array(AppVariable)),
    summary: 'The environment variables of an app; the value of a secret is null',
    params: appName,
    refusals: variableRefusals,
  },
  setAppVariable: {
    saves: true,
    ...at('PUT /api/apps/installed/{appName}/variables/{variable}', z.array(AppVariable)),
    summary: 'Set a variable, from the next start on. A secret is saved encrypted and never shown again',
    params: appName.extend({ variable: VariableName }),
    body: z.strictObject({ value: z.string().max(32_768), secret: z.boolean() }),
    refusals: variableRefusals,
  },
  removeAppVariable: {
    saves: true,
    ...at('DELETE /api/apps/installed/{appName}/variables/{variable}', z.array(AppVariable)),
    summary: 'Remove a variable',
    params: appName.extend({ variable: VariableName }),
    refusals: variableRefusals,
  },
} as const satisfies Record<string, Operation>;
