import type { EndpointLifeEvent } from '../contract/endpoints/endpoint-life.ts';
import type { Now } from '../shared/clock.ts';
import type { Logger } from '../shared/logger.ts';
import { type EndpointNews, type EndpointPast, endpointNews, pastOf } from './endpoint-news.ts';
import type { Endpoints } from './endpoints.ts';
import type { EndpointRecord } from './records/endpoint-record.ts';

export interface EndpointNewsWatchDeps {
  readonly endpoints: Pick<Endpoints, 'load' | 'record' | 'records' | 'subscribe'>;
  readonly report: (news: EndpointNews) => void;
  /** Called when an endpoint is removed. */
  readonly forget: (endpoint: EndpointNews['endpoint']) => void;
  readonly now: Now;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/** Reports the news of all endpoints, and logs the events of their lives. The states in which a daemon's start finds them are none. */
export class EndpointNewsWatch {
  readonly #deps: EndpointNewsWatchDeps;
  readonly #pasts = new Map<string, EndpointPast>();
  #unsubscribe = () => {};

  constructor(deps: EndpointNewsWatchDeps) {
    this.#deps = deps;
  }

  /** Begins once the stored endpoints are read. */
  async start(): Promise<void> {
    const { endpoints } = this.#deps;
    await endpoints.load();
    for (const record of endpoints.records) this.#pasts.set(record.endpoint.name, pastOf(record));
    this.#unsubscribe = endpoints.subscribe((name) => this.#follow(name));
  }

  close(): void {
    this.#unsubscribe();
  }

  #follow(name: string): void {
    const { endpoints, report, forget, now, log } = this.#deps;
    const record = endpoints.record(name);
    const before = this.#pasts.get(name);
    if (!record) {
      this.#pasts.delete(name);
      if (!before) return;
      const { namespace } = before.record;
      log.info(`endpoints: ${namespace}/${name} deleted`);
      forget({ namespace, name });
      return;
    }
    for (const { kind, cause } of lifeSince(before?.record ?? null, record)) {
      const write = kind === 'failed' || kind === 'updateFailed' ? log.warn : log.info;
      write(`endpoints: ${record.namespace}/${name} ${kind === 'updateFailed' ? 'update failed' : kind}: ${cause}`);
    }
    const { past, news } = endpointNews(before ?? pastOf(record), record, now());
    this.#pasts.set(name, past);
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
