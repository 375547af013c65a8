import * as z from 'zod';
import { Timestamp } from '../common/common.ts';

/** A line of the output of an endpoint's processes. `number` counts from 1 since the daemon started. */
export const EndpointLogLine = z
  .object({
    number: z.int(),
    text: z.string(),
    /** Whether the line was cut because of its length. */
    truncated: z.boolean(),
    /** Whether it tells of an error, by the level that it is marked with, else by its words: model servers write everything to stderr. */
    isError: z.boolean(),
    at: Timestamp,
  })
  .meta({ id: 'EndpointLogLine' });
export type EndpointLogLine = z.infer<typeof EndpointLogLine>;

/** A page of what is kept of the output of an endpoint's processes, in memory. */
export const EndpointLog = z
  .object({
    /** Another one counts its lines anew: the daemon was started again, or the endpoint was created again. */
    logId: z.string(),
    /** The number of the oldest line kept. */
    firstKept: z.int(),
    /** The number of the newest line; 0: none. */
    last: z.int(),
    /** The number of lines kept. */
    kept: z.int(),
    /** How many of them match the query, on all pages. */
    matches: z.int(),
    /** How many of those come before this page. */
    before: z.int(),
    /** Oldest first. */
    lines: z.array(EndpointLogLine),
  })
  .meta({ id: 'EndpointLog' });
export type EndpointLog = z.infer<typeof EndpointLog>;

/** Everything that is kept of the output, as a file for people. */
export const EndpointLogFile = z.object({ name: z.string(), text: z.string() }).meta({ id: 'EndpointLogFile' });
export type EndpointLogFile = z.infer<typeof EndpointLogFile>;
