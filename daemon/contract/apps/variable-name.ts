import * as z from 'zod';

/** A valid shell variable name. Names of the daemon, and those that change how Python runs, are refused. */
export const VariableName = z
  .string()
  .max(128)
  .regex(/^[A-Za-z_]\w*$/, 'A name has letters, digits and "_", and does not begin with a digit.')
  .refine(
    (name) => !/^(ROBOT_|PYTHON|LD_|DYLD_|PATH$)/i.test(name),
    'This variable belongs to the system or the daemon, and cannot be set for an app.',
  )
  .meta({ id: 'VariableName' });
