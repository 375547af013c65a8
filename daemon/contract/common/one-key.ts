import * as z from 'zod';

/**
 * An object with exactly one of several keys, which names the variant. Unlike with a union of twelve objects, an issue
 * has the path of the wrong member.
 */
export function oneKey<Shape extends z.ZodRawShape>(shape: Shape, what: string) {
  return z
    .strictObject(shape)
    .refine((value) => Object.values(value).filter((member) => member !== undefined).length === 1, {
      error: `exactly one of ${Object.keys(shape).join(', ')} says ${what}`,
    })
    .meta({ minProperties: 1, maxProperties: 1 });
}
