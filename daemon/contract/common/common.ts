import * as z from 'zod';

/** A moment as ISO 8601 in UTC, ending in `Z`. */
export const Timestamp = z.iso.datetime().meta({ id: 'Timestamp', description: 'ISO 8601 in UTC, ending in Z' });

/** The body of most refusals: one sentence for a person. */
export const SimpleError = z.object({ error: z.string() }).meta({ id: 'SimpleError' });
export type SimpleError = z.infer<typeof SimpleError>;

/** One thing wrong with a body or a path: where it is and what it is. */
export const Issue = z
  .object({
    /** Which kind of thing is wrong, for programs. */
    code: z.string().optional(),
    path: z.array(z.union([z.string(), z.number()])),
    message: z.string(),
  })
  .meta({ id: 'Issue' });
export type Issue = z.infer<typeof Issue>;

/** A refused body or path, with everything that is wrong with it at once. */
export const BodyError = z.object({ error: z.string(), issues: z.array(Issue) }).meta({ id: 'BodyError' });

/** A refused query string. */
export const QueryError = z.object({ error: z.string(), details: z.array(Issue) }).meta({ id: 'QueryError' });

/** Where both a path and a query can be refused. */
export const PathOrQueryError = z.union([BodyError, QueryError]).meta({ id: 'PathOrQueryError' });

/** A whole number from 1 on, in digits and nothing else: `1e3`, `0x10`, `+5` and ` 5 ` are none. */
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
