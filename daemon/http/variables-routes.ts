import type { Router } from 'express';
import type { AppVariables } from '../apps/run/app-variables.ts';
import { serve } from './serve.ts';

export interface VariablesServices {
  readonly variables: AppVariables;
}

/** What an app is started with, as its user wants it. */
export function variablesRoutes(router: Router, { variables }: VariablesServices): void {
  serve(router, 'listAppVariables', ({ params }) => variables.list(params.appName));
  serve(router, 'setAppVariable', ({ params, body }) => variables.set(params.appName, params.variable, body));
  serve(router, 'removeAppVariable', ({ params }) => variables.remove(params.appName, params.variable));
}
