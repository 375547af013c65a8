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
import { Job } from '../jobs.ts';
import { badBody, badPath, type Operation, refused } from './operation.ts';

const appName = z.object({ appName: AppName });
const notInstalled = refused('Not installed');
const appRefusals = { 400: badPath, 404: notInstalled };
const untouched = { ...appRefusals, 409: refused('It is running, or being installed: nothing was changed') };

/** What is installed, and how that changes. */
export const appOperations = {
  listApps: {
    method: 'GET',
    path: '/api/apps/list',
    summary: 'The installed apps',
    success: { status: 200, schema: z.array(InstalledApp) },
  },
  listSampleApps: {
    method: 'GET',
    path: '/api/apps/samples',
    summary: 'The apps that travel with Robot Desktop',
    success: { status: 200, schema: z.array(SampleApp) },
  },
  installApp: {
    method: 'POST',
    path: '/api/apps/install',
    summary: 'Install or update an app; answers at once with the job that does it',
    body: InstallRequest,
    success: { status: 202, schema: Job },
    refusals: { 400: { ...badBody, description: 'Not an address that an app can be installed from' } },
  },
  getStartupApp: {
    method: 'GET',
    path: '/api/apps/startup-app',
    summary:
      'The app that starts when the robot first wakes up, and whenever an antenna of the sleeping robot is touched',
    success: { status: 200, schema: StartupApp },
  },
  setStartupApp: {
    method: 'PUT',
    path: '/api/apps/startup-app',
    summary: 'Choose that app, or none',
    body: StartupApp,
    success: { status: 200, schema: StartupApp },
    refusals: { 400: badBody, 404: notInstalled },
  },
  checkForUpdates: {
    method: 'POST',
    path: '/api/apps/check-for-updates',
    summary: 'Ask the sources of the installed apps what is new; answers with the apps once all have been asked',
    success: { status: 200, schema: z.array(InstalledApp) },
  },
  getApp: {
    method: 'GET',
    path: '/api/apps/installed/{appName}',
    summary: 'One installed app',
    params: appName,
    success: { status: 200, schema: InstalledApp },
    refusals: appRefusals,
  },
  getAppDisk: {
    method: 'GET',
    path: '/api/apps/installed/{appName}/disk',
    summary: 'What an app takes of the disk (bytes)',
    params: appName,
    success: { status: 200, schema: AppDisk },
    refusals: appRefusals,
  },
  updateApp: {
    method: 'POST',
    path: '/api/apps/installed/{appName}/update',
    summary: 'Install the newest version from where the app came from; answers at once with the job that does it',
    params: appName,
    success: { status: 202, schema: Job },
    refusals: { ...appRefusals, 409: refused('It is pinned') },
  },
  rollBackApp: {
    method: 'POST',
    path: '/api/apps/installed/{appName}/rollback',
    summary: 'Return to the version before, at once; again: back to the newer one',
    params: appName,
    success: { status: 200, schema: InstalledApp },
    refusals: { ...untouched, 409: refused('It is running, or there is no version before') },
  },
  pinApp: {
    method: 'PUT',
    path: '/api/apps/installed/{appName}/pin',
    summary: 'Keep an app at its version, or let it be updated again',
    params: appName,
    body: z.strictObject({ pinned: z.boolean() }),
    success: { status: 200, schema: InstalledApp },
    refusals: appRefusals,
  },
  removeApp: {
    method: 'DELETE',
    path: '/api/apps/installed/{appName}',
    summary:
      'Remove an app with its environments and all that it has written; the startup app is cleared if it is that',
    params: appName,
    success: { status: 200, schema: z.array(InstalledApp) },
    refusals: untouched,
  },
  listAppVariables: {
    method: 'GET',
    path: '/api/apps/installed/{appName}/variables',
    summary: 'The environment variables that an app is started with; never the value of a secret',
    params: appName,
    success: { status: 200, schema: z.array(AppVariable) },
    refusals: appRefusals,
  },
  setAppVariable: {
    method: 'PUT',
    path: '/api/apps/installed/{appName}/variables/{variable}',
    summary: 'Set one, from the next start on. A secret is kept encrypted and never shown again',
    params: appName.extend({ variable: VariableName }),
    body: z.strictObject({ value: z.string().max(32_768), secret: z.boolean() }),
    success: { status: 200, schema: z.array(AppVariable) },
    refusals: appRefusals,
  },
  removeAppVariable: {
    method: 'DELETE',
    path: '/api/apps/installed/{appName}/variables/{variable}',
    summary: 'Forget one',
    params: appName.extend({ variable: VariableName }),
    success: { status: 200, schema: z.array(AppVariable) },
    refusals: appRefusals,
  },
} as const satisfies Record<string, Operation>;
