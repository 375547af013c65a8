import type { AppVariables } from '../../apps/run/app-variables.ts';
import type { Routes } from './serve-operations.ts';

export interface VariableServices {
  readonly variables: AppVariables;
}

/** The environment variables that a user sets for an app. */
export function variableRoutes({ variables }: VariableServices) {
  return {
    listAppVariables: ({ params }) => variables.list(params.appName),
    setAppVariable: ({ params, body }) => variables.set(params.appName, params.variable, body),
    removeAppVariable: ({ params }) => variables.remove(params.appName, params.variable),
  } satisfies Partial<Routes>;
}
