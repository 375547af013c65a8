import * as z from 'zod';
import { CardProblem } from '../../contract/compute/graphics-cards.ts';
import { type EndpointRef, Namespace } from '../../contract/endpoints/endpoint.ts';
import { EndpointLifeEvent } from '../../contract/endpoints/endpoint-life.ts';
import { EndpointFailure } from '../../contract/endpoints/endpoint-report.ts';
import { SealedSecrets } from './endpoint-secrets.ts';
import { StoredEndpoint } from './stored-endpoint.ts';

/** An endpoint as stored; its secrets are encrypted. */
export const EndpointRecord = z.strictObject({
  namespace: Namespace,
  endpoint: StoredEndpoint,
  /** The reasons for its recipe and compute, a sentence each. */
  reasons: z.array(z.string()),
  sealed: SealedSecrets,
  /** Whether it has been ready at least once. */
  hasServed: z.boolean().default(false),
  /** Whether it was in a container when it was ready last. */
  servedInContainer: z.boolean().default(false),
  /** Whether the model's file has a chat template; null: not known, as before the first start. */
  bringsChatTemplate: z.boolean().nullable().default(null),
  /** Whether it may run on the processor where the graphics card that it was deployed on cannot be used. */
  mayUseProcessor: z.boolean().default(false),
  /** Why it ran on the processor when it started last, instead of the card; null: it did not. */
  notOnCard: CardProblem.nullable().default(null),
  /** The last failure, until the endpoint is ready again. */
  failure: EndpointFailure.nullable().default(null),
  /** The newest events of its life, oldest first. */
  life: z.array(EndpointLifeEvent).default([]),
});
export type EndpointRecord = z.infer<typeof EndpointRecord>;

/** Of a new endpoint. */
export const neverServed = {
  hasServed: false,
  servedInContainer: false,
  bringsChatTemplate: null,
  mayUseProcessor: false,
  notOnCard: null,
  failure: null,
} as const;

export function refOf({ namespace, endpoint }: Pick<EndpointRecord, 'namespace' | 'endpoint'>): EndpointRef {
  return { namespace, name: endpoint.name };
}

/** Records are sorted newest first, then by name, then by namespace. */
export interface SortKey extends EndpointRef {
  readonly createdAt: string;
}

export function sortKeyOf(record: EndpointRecord): SortKey {
  return { createdAt: record.endpoint.status.createdAt, ...refOf(record) };
}

export function compareSortKeys(a: SortKey, b: SortKey): number {
  if (a.createdAt !== b.createdAt) return a.createdAt > b.createdAt ? -1 : 1;
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  if (a.namespace !== b.namespace) return a.namespace < b.namespace ? -1 : 1;
  return 0;
}
