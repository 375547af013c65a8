import * as z from 'zod';

/** An int32 from 0 on; null: the engine's default. */
export const Count = z.int32().min(0).nullable().optional();

/** Ends a C string, and so truncates an environment variable. */
const NUL = '\u0000';

/** Text that can be passed to a process. */
export const ProcessText = z
  .string()
  .max(32_768)
  .refine((text) => !text.includes(NUL), 'holds a NUL character');

/** The name of an environment variable, as in shells. */
const EnvironmentName = z
  .string()
  .regex(/^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]*$/, 'letters, digits and _, no digit first');

/** Environment variables. Refuses `__proto__`, which a record would drop silently. */
export function variables<Value extends z.ZodType>(value: Value) {
  return z.preprocess(
    (given, context) => {
      if (typeof given === 'object' && given !== null && Object.hasOwn(given, '__proto__')) {
        context.addIssue({ code: 'custom', path: ['__proto__'], message: 'no name of a variable' });
      }
      return given;
    },
    z.record(EnvironmentName, value),
  );
}

export const Environment = variables(ProcessText);
