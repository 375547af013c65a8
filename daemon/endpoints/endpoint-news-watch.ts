import type { EndpointRef } from '../contract/endpoints/endpoint.ts';
import { endpointId } from '../contract/endpoints/endpoint-id.ts';
import type { EndpointLifeEvent } from '../contract/endpoints/endpoint-life.ts';
import type { Now } from '../shared/clock.ts';
import type { Logger } from '../shared/logger.ts';
import type { News } from '../shared/news.ts';
import { type EndpointPast, endpointNews, pastOf } from './endpoint-news.ts';
import type { Endpoints } from './endpoints.ts';
import { type EndpointRecord, refOf } from './records/endpoint-record.ts';

export interface EndpointNewsWatchDeps {
  readonly endpoints: Pick<Endpoints, 'load' | 'record' | 'records' | 'subscribe'>;
  readonly report: (news: News) => void;
  /** Called when an endpoint is removed. */
  readonly forget: (endpoint: EndpointRef) => void;
  readonly now: Now;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/** Reports the news of all endpoints, and logs the events of their lives. The states in which a daemon's start finds them are none. */
export class EndpointNewsWatch {
  readonly #deps: EndpointNewsWatchDeps;
  /** By the ids of the endpoints. */
  readonly #pasts = new Map<string, EndpointPast>();
  #unsubscribe = () => {};

  constructor(deps: EndpointNewsWatchDeps) {
    this.#deps = deps;
  }

  /** Begins once the stored endpoints are read. */
  async start(): Promise<void> {
    const { endpoints } = this.#deps;
    await endpoints.load();
    for (const record of endpoints.records) this.#pasts.set(endpointId(refOf(record)), pastOf(record));
    this.#unsubscribe = endpoints.subscribe((endpoint) => this.#follow(endpoint));
  }

  close(): void {
    this.#unsubscribe();
  }

  #follow(endpoint: EndpointRef): void {
    const { endpoints, report, forget, now, log } = this.#deps;
    const id = endpointId(endpoint);
    const record = endpoints.record(endpoint);
    const before = this.#pasts.get(id);
    if (!record) {
      if (!this.#pasts.delete(id)) return;
      log.info(`endpoints: ${id} deleted`);
      forget(endpoint);
      return;
    }
    for (const { kind, cause } of lifeSince(before?.record ?? null, record)) {
      const write = kind === 'failed' || kind === 'updateFailed' ? log.warn : log.info;
      write(`endpoints: ${id} ${kind === 'updateFailed' ? 'update failed' : kind}: ${cause}`);
    }
    const { past, news } = endpointNews(before ?? pastOf(record), record, now());
    this.#pasts.set(id, past);
    if (news) report(news);
  }
}

/** The events that came between two records of an endpoint. @param before null: it is new */
function lifeSince(before: EndpointRecord | null, { life }: EndpointRecord): readonly EndpointLifeEvent[] {
  const last = before?.life.at(-1);
  const known = life.findLastIndex(
    ({ at, kind, cause }) => at === last?.at && kind === last.kind && cause === last.cause,
  );
  return life.slice(known + 1);
}
