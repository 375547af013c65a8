import * as z from 'zod';

/** Why an app crashed, as far as its output tells. `camera-busy` and `audio-busy`: or not there at all. */
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
  'unauthorized',
  'endpoint-asleep',
  'network',
  'out-of-memory',
  'disk-full',
  'robot-lost',
  'killed-by-signal',
  'exception',
  'unknown',
]);
export type CrashCause = z.infer<typeof CrashCause>;

/** What a crash was, for a person. No secret that the app wrote is repeated in it. */
export const CrashDiagnosis = z
  .object({
    cause: CrashCause,
    /** What happened, with the likely cause, in a sentence or two. */
    message: z.string(),
    /** The one thing to do. */
    action: z.string(),
    /** The line of the app's own code nearest to the failure; null when none shows. */
    ownLine: z
      .object({
        /** From the app's package on: `hello_wave/main.py`. */
        file: z.string(),
        line: z.int(),
        /** null when the output does not show it. */
        code: z.string().nullable(),
      })
      .nullable(),
    /** The lines of the output that show it. */
    evidence: z.array(z.string()).max(12),
  })
  .meta({ id: 'CrashDiagnosis' });
export type CrashDiagnosis = z.infer<typeof CrashDiagnosis>;
