import * as z from 'zod';
import { named } from '../common/common.ts';
import { EndpointRef } from '../endpoints/endpoint.ts';
import { VariableName } from './apps.ts';
import { NeedName } from './needs.ts';

/**
 * Why an app crashed, or could not be started, from its output and its endpoints. `camera-busy` and `audio-busy` include missing
 * devices; `endpoint-failed`: an endpoint that is assigned to it; `endpoint-missing`: it used a need that had none.
 */
export const CrashCause = z.enum([
  'missing-module',
  'sdk-too-old',
  'sdk-too-new',
  'python-version',
  'import-error',
  'syntax-error',
  'port-in-use',
  'camera-busy',
  'audio-busy',
  'missing-variable',
  'unauthorized',
  'endpoint-asleep',
  'endpoint-failed',
  'endpoint-missing',
  'network',
  'out-of-memory',
  'disk-full',
  'robot-lost',
  'killed-by-signal',
  'exception',
  'unknown',
]);
export type CrashCause = z.infer<typeof CrashCause>;

/** The diagnosis of a crash, for a person. Secrets in the output are removed. */
export const CrashDiagnosis = named('CrashDiagnosis', {
  cause: CrashCause,
  /** The event and its likely cause, in a sentence or two. */
  message: z.string(),
  /** The one thing to do. */
  action: z.string(),
  /** The environment variables to set for the app; absent: none. */
  missingVariables: z.array(VariableName).max(4).optional(),
  /** The assigned endpoint that failed; absent: the crash has another cause, or the endpoint is not known. */
  endpoint: EndpointRef.optional(),
  /** The need to choose an endpoint for; absent: none. */
  need: NeedName.optional(),
  /** The line of the app's own code nearest to the failure; null: unknown. */
  ownLine: z
    .object({
      /** The path from the app's package on, `hello_wave/main.py`. */
      file: z.string(),
      line: z.int(),
      /** null: not in the output. */
      code: z.string().nullable(),
    })
    .nullable(),
  /** The lines of the output that show it. */
  evidence: z.array(z.string()).max(12),
});
export type CrashDiagnosis = z.infer<typeof CrashDiagnosis>;
