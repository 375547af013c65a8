import * as z from 'zod';

/**
 * An object of several members of which exactly one is there: its key says what it is. Told apart this way a wrong
 * member is named with its path, which a union of twelve objects could not do.
 */
export function oneKey<Shape extends z.ZodRawShape>(shape: Shape, what: string) {
  return z
    .strictObject(shape)
    .refine((value) => Object.values(value).filter((member) => member !== undefined).length === 1, {
      error: `exactly one of ${Object.keys(shape).join(', ')} says ${what}`,
    })
    .meta({ minProperties: 1, maxProperties: 1 });
}
