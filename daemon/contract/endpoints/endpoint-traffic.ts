import * as z from 'zod';
import { named, Timestamp } from '../common/common.ts';

/** Median and 99th percentile of the latest requests. */
export const Percentiles = z.object({ p50: z.number().min(0), p99: z.number().min(0) });
export type Percentiles = z.infer<typeof Percentiles>;

/** The use of an endpoint since the daemon's start. Refused requests, and those of its health route, do not count. */
export const EndpointTraffic = named('EndpointTraffic', {
  requests: z.int().min(0),
  /** Requests without a whole answer, or with a 5xx. Not those that the caller cancelled. */
  failed: z.int().min(0),
  inFlight: z.int().min(0),
  /** Requests that the cache answered; they are among `requests`. */
  cacheHits: z.int().min(0),
  /** Requests in flight that wait for a replica. */
  waiting: z.int().min(0),
  /** Milliseconds to the last byte, waiting included, without answers of the cache; null: no answer yet. */
  latencyMs: Percentiles.nullable(),
  /** Milliseconds to the first byte of the body. */
  firstByteMs: Percentiles.nullable(),
  /** The median speed of an answer; null: none with tokens yet. */
  tokensPerSecond: z.number().min(0).nullable(),
  /**
   * Tokens a second, by the seconds in which it generated any: those of answers at the same time add up. null: it generated
   * none, or its answers do not tell.
   */
  generatedPerSecond: z.object({
    /** Of the last minute, answers that are under way included. */
    now: z.number().min(0).nullable(),
    /** Of all answers that have ended. */
    average: z.number().min(0).nullable(),
  }),
  lastRequestAt: Timestamp.nullable(),
});
export type EndpointTraffic = z.infer<typeof EndpointTraffic>;
