import { hash } from 'node:crypto';
import type { EndpointRecord } from '../../../endpoints/records/endpoint-record.ts';
import { processSettings } from '../../../endpoints/replicas/plan.ts';

/** The terms under which answers of an endpoint may be kept. */
export interface CacheTerms {
  /** Of the settings that its answers depend on: with another version, the kept answers are no longer its own. */
  readonly version: string;
  /** Whether all its replicas have these settings. During an update, and after one that failed, earlier ones serve. */
  readonly isSettled: boolean;
}

const known = new WeakMap<EndpointRecord, CacheTerms>();

/** The terms of an endpoint; null: its answers are not kept, and none that were kept are sent. A paused one answers nothing. */
export function cacheTerms(record: EndpointRecord): CacheTerms | null {
  const { cacheHttpResponses, status } = record.endpoint;
  if (!cacheHttpResponses || status.state === 'paused') return null;
  const terms = known.get(record) ?? {
    version: hash('sha256', processSettings(record)),
    isSettled: status.state !== 'updating' && status.state !== 'updateFailed',
  };
  known.set(record, terms);
  return terms;
}
