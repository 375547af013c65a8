import * as z from 'zod';
import { named } from './common.ts';

const StepState = z.enum(['pending', 'running', 'done', 'failed', 'cancelled']);

/** A step of long work. All steps are listed from the start. */
export const WorkStep = named('WorkStep', { name: z.string(), title: z.string(), state: StepState });
export type WorkStep = z.infer<typeof WorkStep>;

/** The progress of a download. */
export const Transfer = named('Transfer', {
  doneBytes: z.int(),
  totalBytes: z.int().nullable(),
  /** The average over the last seconds; 0 while nothing arrives. */
  bytesPerSecond: z.int(),
  /** Whether nothing has arrived for some seconds; after 30 s the download fails. */
  stalled: z.boolean(),
});
export type Transfer = z.infer<typeof Transfer>;
