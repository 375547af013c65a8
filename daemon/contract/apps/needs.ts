import * as z from 'zod';
import { ListTask } from '../catalog/catalog.ts';
import { named, SimpleError } from '../common/common.ts';
import { EndpointRef } from '../endpoints/endpoint.ts';
import { AppName } from './app-source.ts';

/** The name of a need within its app, `chat`. In capitals, it is a part of the names of environment variables. */
export const NeedName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,31}$/, 'lower-case letters, digits and "_", a letter first, at most 32')
  .meta({ id: 'NeedName' });

/**
 * A model that an app uses, from `[tool.robot.needs]` of its `pyproject.toml`. Its runs get `ROBOT_ENDPOINT_<NAME>_URL`,
 * `_MODEL`, `_KEY` and `_NAME`; see docs/adr/0051.
 */
export const AppNeed = named('AppNeed', {
  name: NeedName,
  /** The task that its endpoint must serve, see `servesTask`. */
  task: ListTask,
  /** Whether the app starts without an endpoint for it. */
  optional: z.boolean(),
});
export type AppNeed = z.infer<typeof AppNeed>;

/** A need with its assigned endpoint, which may have been deleted since; null: none is assigned. */
export const AssignedNeed = AppNeed.extend({ endpoint: EndpointRef.nullable() }).meta({ id: 'AssignedNeed' });
export type AssignedNeed = z.infer<typeof AssignedNeed>;

/** Why an app with needs cannot start now. `endpoint-paid`: repeat the request with `wakePaid`. */
export const NeedProblem = z.enum([
  'need-unassigned',
  'endpoint-missing',
  'endpoint-unsuitable',
  'endpoint-paused',
  'endpoint-failed',
  'endpoint-paid',
]);
export type NeedProblem = z.infer<typeof NeedProblem>;

/** The first need that keeps an app from starting. */
export const UnmetNeed = named('UnmetNeed', { appName: AppName, need: NeedName, endpoint: EndpointRef.nullable() });
export type UnmetNeed = z.infer<typeof UnmetNeed>;

/** A refused start: one sentence for a person and, if a need of the app is the reason, the need. */
export const StartRefusal = SimpleError.extend({
  code: NeedProblem.optional(),
  unmet: UnmetNeed.optional(),
}).meta({ id: 'StartRefusal' });
