import * as z from 'zod';

/** An object with a name of its own in OpenAPI. */
export function named<Shape extends z.ZodRawShape>(id: string, shape: Shape) {
  return z.object(shape).meta({ id });
}

/** The same; other members are refused. */
export function namedStrictly<Shape extends z.ZodRawShape>(id: string, shape: Shape) {
  return z.strictObject(shape).meta({ id });
}

export const Timestamp = z.iso.datetime().meta({ id: 'Timestamp', description: 'ISO 8601 in UTC, ending in Z' });

/** Why the daemon cannot save something: its disk is full, or it may not write in its data folder. */
export const StorageCode = z.enum(['disk-full', 'data-folder-read-only']);
export type StorageCode = z.infer<typeof StorageCode>;

/** The body of most refusals: one sentence for a person. */
export const SimpleError = named('SimpleError', {
  error: z.string(),
  /** A stable code for programs; only some refusals have one. */
  code: StorageCode.optional(),
});

/** One issue of a body or a path. */
export const Issue = named('Issue', {
  /** The kind of issue, for programs. */
  code: z.string().optional(),
  path: z.array(z.union([z.string(), z.number()])),
  message: z.string(),
});
export type Issue = z.infer<typeof Issue>;

/** A refused body or path, with all its issues. */
export const BodyError = z.object({ error: z.string(), issues: z.array(Issue) }).meta({ id: 'BodyError' });

/** A refused query string. */
export const QueryError = z.object({ error: z.string(), details: z.array(Issue) }).meta({ id: 'QueryError' });

/** For operations whose path and query can both be refused. */
export const PathOrQueryError = z.union([BodyError, QueryError]).meta({ id: 'PathOrQueryError' });

/** A whole number from 1 to `most`, in digits only: `1e3`, `0x10`, `+5` and ` 5 ` are refused. */
export function digits(most: number) {
  return z
    .string()
    .regex(/^\d+$/, 'a whole number, in digits')
    .refine((text) => !/^\d+$/.test(text) || (BigInt(text) > 0n && BigInt(text) <= BigInt(most)), {
      error: `greater than 0, at most ${most}`,
    })
    .transform(Number)
    .meta({ override: { type: 'integer', minimum: 1, maximum: most, pattern: undefined } });
}

/** The number of a line in a query, from 0, in digits only. */
export const lineNumber = z
  .string()
  .regex(/^\d+$/, 'a whole number, in digits')
  .transform(Number)
  .refine(Number.isSafeInteger, `at most ${Number.MAX_SAFE_INTEGER}`)
  .meta({ override: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, pattern: undefined } });

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
