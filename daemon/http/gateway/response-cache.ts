import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { LRUCache } from 'lru-cache';
import type { EndpointRef } from '../../contract/endpoints/endpoint.ts';
import { endpointId } from '../../contract/endpoints/endpoint-id.ts';
import type { EndpointRecord } from '../../endpoints/records/endpoint-record.ts';
import { processSettings } from '../../endpoints/replicas/plan.ts';
import { lazy } from '../../shared/async/lazy.ts';
import { changesAnswer, requestMayBeCached } from './cache-rules.ts';
import { AnswerRecording, type KeptAnswer, RecordingMemory } from './kept-answer.ts';
import { forwardedHeaders } from './passed-headers.ts';

/** From the last time that the answer was sent. The specification has 60 minutes. */
const KEPT_MS = 60 * 60_000;
/** The memory that an answer takes beside its headers and its body, with its key, rounded up. */
const ENTRY_BYTES = 1_024;

export interface ResponseCacheDeps {
  /** The current terms of an endpoint; null: none of its answers may be kept or sent, or it does not exist. */
  readonly termsOf: (endpoint: EndpointRef) => CacheTerms | null;
  /** A monotonic clock. */
  readonly elapsedMs: () => number;
  readonly bounds: {
    /** For kept answers. */
    readonly keptBytes: number;
    /** For answers while they arrive. */
    readonly arrivingBytes: number;
  };
}

/** 64 MB over all endpoints. */
export const cacheBounds: ResponseCacheDeps['bounds'] = { keptBytes: 48 * 1024 ** 2, arrivingBytes: 16 * 1024 ** 2 };

interface Entry extends KeptAnswer {
  readonly endpointId: string;
}

/**
 * Whole answers of the endpoints that want it, for callers who ask the same again. In memory only, bounded over all
 * endpoints: those that were not asked for the longest time go first. The library is loaded on first use.
 */
export class ResponseCache {
  readonly #deps: ResponseCacheDeps;
  readonly #arriving: RecordingMemory;
  readonly #load: () => Promise<LRUCache<string, Entry>>;
  #entries: LRUCache<string, Entry> | null = null;
  /** The versions of the endpoints with kept answers, by their ids. */
  readonly #versions = new Map<string, string>();

  constructor(deps: ResponseCacheDeps) {
    const { elapsedMs, bounds } = deps;
    this.#deps = deps;
    this.#arriving = new RecordingMemory(bounds.arrivingBytes);
    this.#load = lazy(async () => {
      const { LRUCache: Lru } = await import('lru-cache');
      this.#entries = new Lru<string, Entry>({
        maxSize: bounds.keptBytes,
        sizeCalculation: ({ headers, body }) => ENTRY_BYTES + headers.flat().join('').length + body.length,
        ttl: KEPT_MS,
        updateAgeOnGet: true,
        ttlAutopurge: true,
        ttlResolution: 0,
        perf: { now: elapsedMs },
      });
      return this.#entries;
    });
  }

  /** The bytes of kept answers, and of those that arrive. */
  get bytes(): { readonly kept: number; readonly arriving: number } {
    return { kept: this.#entries?.calculatedSize ?? 0, arriving: this.#arriving.bytes };
  }

  /**
   * The kept answer to a request, else a recording of the answer to come; null: the cache must not take part.
   * @param body the whole one
   */
  async find(
    endpoint: EndpointRef,
    request: Pick<IncomingMessage, 'method' | 'headers'>,
    pathAndQuery: string,
    body: Buffer | null,
  ): Promise<KeptAnswer | AnswerRecording | null> {
    const terms = this.#deps.termsOf(endpoint);
    if (!terms?.isSettled || !requestMayBeCached(request)) return null;
    const { version } = terms;
    const key = await requestKey({ id: endpointId(endpoint), version }, request, pathAndQuery, body);
    const kept = (await this.#load()).get(key);
    return kept ?? new AnswerRecording(this.#arriving, (answer) => this.#keep(endpoint, version, key, answer));
  }

  /** Forgets the answers of an endpoint that has changed so that they are no longer its own. */
  endpointChanged(endpoint: EndpointRef): void {
    const id = endpointId(endpoint);
    const version = this.#versions.get(id);
    if (version === undefined || version === this.#deps.termsOf(endpoint)?.version) return;
    this.#versions.delete(id);
    const all = [...(this.#entries?.entries() ?? [])];
    for (const [key, entry] of all) if (entry.endpointId === id) this.#entries?.delete(key);
  }

  #keep(endpoint: EndpointRef, version: string, key: string, answer: KeptAnswer): void {
    const terms = this.#deps.termsOf(endpoint);
    if (!terms?.isSettled || terms.version !== version) return; // it has changed since the request arrived
    const id = endpointId(endpoint);
    this.#versions.set(id, version);
    this.#entries?.set(key, { ...answer, endpointId: id });
  }
}

/**
 * Identifies a request among those whose answer is the same. A hash, so that the cache keeps no request; that of the body is
 * made on another thread.
 * @param endpoint the id of the endpoint, and the version of the settings that its answers depend on
 * @param pathAndQuery as sent
 */
export async function requestKey(
  endpoint: { readonly id: string; readonly version: string },
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  pathAndQuery: string,
  body: Buffer | null,
): Promise<string> {
  // Those that reach the model server: one that is sent and not forwarded must not stand for one that is.
  const seen = forwardedHeaders(headers)
    .filter(([name]) => changesAnswer(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const ofBody = body && Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(body))).toString('base64');
  const { id, version } = endpoint;
  return hash('sha256', JSON.stringify([id, version, method, pathAndQuery, seen, ofBody]), 'base64');
}

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
