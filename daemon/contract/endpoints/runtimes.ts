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

/** The llama-server that can be installed here. */
export const InstallableRuntime = z
  .object({
    /** Null: none is known. */
    version: z.string().nullable(),
    /** The server that it comes from. */
    host: z.string().nullable(),
    /** Of the download; null: unknown. */
    sizeBytes: z.int().nullable(),
    /** Why none can be installed, in one sentence; null: one can. */
    problem: z.string().nullable(),
  })
  .meta({ id: 'InstallableRuntime' });
export type InstallableRuntime = z.infer<typeof InstallableRuntime>;

export const RuntimeList = z
  .object({ runtimes: z.array(RuntimeStatus), installable: InstallableRuntime })
  .meta({ id: 'RuntimeList' });
export type RuntimeList = z.infer<typeof RuntimeList>;
