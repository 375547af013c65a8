import * as z from 'zod';
import { named, Timestamp } from '../common/common.ts';
import { Percentiles } from './endpoint-traffic.ts';

/** The use of an endpoint within a span of time. */
export const EndpointSample = named('EndpointSample', {
  /** The begin of the span. */
  at: Timestamp,
  /** The requests that arrived. */
  requests: z.int().min(0),
  /** The requests that failed. */
  failed: z.int().min(0),
  /** Milliseconds to the last byte of the answers that ended; null: none did. */
  latencyMs: Percentiles.nullable(),
  /** The memory of its processes; null: it had none, or it was not measured. */
  memoryBytes: z.int().min(0).nullable(),
});
export type EndpointSample = z.infer<typeof EndpointSample>;

/** The use of an endpoint over the last hour. */
export const EndpointHistory = named('EndpointHistory', {
  /** The length of each span. */
  everySeconds: z.int(),
  /** Oldest first, without gaps; the last span has not ended. */
  samples: z.array(EndpointSample),
});
export type EndpointHistory = z.infer<typeof EndpointHistory>;
