import type * as z from 'zod';
import { Endpoint, EndpointStatus } from '../../contract/endpoints/endpoint.ts';

/** A status as stored: an endpoint's address depends on the address that the caller uses for the daemon. */
export const StoredStatus = EndpointStatus.omit({ url: true });
export type StoredStatus = z.infer<typeof StoredStatus>;

export const StoredEndpoint = Endpoint.extend({ status: StoredStatus });
export type StoredEndpoint = z.infer<typeof StoredEndpoint>;
