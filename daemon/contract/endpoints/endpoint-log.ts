import * as z from 'zod';
import { named, Timestamp } from '../common/common.ts';

/** A line of the output of an endpoint's processes. `number` counts from 1 since the daemon started. */
export const EndpointLogLine = named('EndpointLogLine', {
  number: z.int(),
  text: z.string(),
  /** Whether the line was cut because of its length. */
  truncated: z.boolean(),
  /** Whether it tells of an error, by the level that it is marked with, else by its words: model servers write everything to stderr. */
  isError: z.boolean(),
  at: Timestamp,
});
export type EndpointLogLine = z.infer<typeof EndpointLogLine>;

/** A page of what is kept of the output of an endpoint's processes, in memory. */
export const EndpointLog = named('EndpointLog', {
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
});
export type EndpointLog = z.infer<typeof EndpointLog>;

/** Everything that is kept of the output, as a file for people. */
export const EndpointLogFile = named('EndpointLogFile', { name: z.string(), text: z.string() });
export type EndpointLogFile = z.infer<typeof EndpointLogFile>;
