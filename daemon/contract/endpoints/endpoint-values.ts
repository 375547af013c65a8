import * as z from 'zod';

/** An int32 that is not below 0, or null for whatever the engine chooses. */
export const Count = z.int32().min(0).nullable().optional();

/** A character that ends a C string, and so an environment variable, too early. */
const NUL = '\u0000';

/** Text that a process can be given. */
export const ProcessText = z
  .string()
  .max(32_768)
  .refine((text) => !text.includes(NUL), 'holds a NUL character');

/** The name of an environment variable, as shells take it. */
export const EnvironmentName = z
  .string()
  .regex(/^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]*$/, 'letters, digits and _, no digit first');

/** Environment variables. A record leaves `__proto__` out without a word, so it is refused before. */
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
