import type { AppNeeds } from '../../apps/needs/app-needs.ts';
import type { Routes } from './serve-operations.ts';

export interface NeedServices {
  readonly needs: AppNeeds;
}

/** The endpoints that the installed apps use. */
export function needRoutes({ needs }: NeedServices) {
  return {
    assignEndpoint: ({ params, body, caller }) => needs.assign(params.appName, params.need, body.endpoint, caller),
  } satisfies Partial<Routes>;
}
