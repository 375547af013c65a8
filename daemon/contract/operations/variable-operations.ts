import * as z from 'zod';
import { AppName } from '../apps/app-source.ts';
import { AppVariable } from '../apps/apps.ts';
import { VariableName } from '../apps/variable-name.ts';
import { badPath, type Operation, refused } from './operation.ts';

const appName = z.object({ appName: AppName });
const appRefusals = {
  400: badPath,
  404: refused('Not installed'),
  409: refused('The variables were damaged and have been set aside; the next request finds none'),
};

/** The environment variables of the installed apps. */
export const variableOperations = {
  listAppVariables: {
    method: 'GET',
    path: '/api/apps/installed/{appName}/variables',
    summary: 'The environment variables of an app; the value of a secret is null',
    params: appName,
    success: { status: 200, schema: z.array(AppVariable) },
    refusals: appRefusals,
  },
  setAppVariable: {
    saves: true,
    method: 'PUT',
    path: '/api/apps/installed/{appName}/variables/{variable}',
    summary: 'Set a variable, from the next start on. A secret is saved encrypted and never shown again',
    params: appName.extend({ variable: VariableName }),
    body: z.strictObject({ value: z.string().max(32_768), secret: z.boolean() }),
    success: { status: 200, schema: z.array(AppVariable) },
    refusals: appRefusals,
  },
  removeAppVariable: {
    saves: true,
    method: 'DELETE',
    path: '/api/apps/installed/{appName}/variables/{variable}',
    summary: 'Remove a variable',
    params: appName.extend({ variable: VariableName }),
    success: { status: 200, schema: z.array(AppVariable) },
    refusals: appRefusals,
  },
} as const satisfies Record<string, Operation>;
