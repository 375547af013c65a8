import * as z from 'zod';

/** A program that serves models on this machine, in the order of preference. */
export const RuntimeStatus = z
  .object({
    id: z.enum(['llama-server', 'bundled']),
    /** For people. */
    label: z.string(),
    /** Null: there is none, or it does not run. */
    version: z.string().nullable(),
    /** Its file; null: not found. */
    path: z.string().nullable(),
    /** Why it cannot be used, in one sentence; null: it can. */
    problem: z.string().nullable(),
    /** Whether it can use a graphics card of this machine. */
    hasGpu: z.boolean(),
  })
  .meta({ id: 'RuntimeStatus' });
export type RuntimeStatus = z.infer<typeof RuntimeStatus>;
