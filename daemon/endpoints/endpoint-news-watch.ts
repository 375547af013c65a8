import type { Now } from '../shared/clock.ts';
import { type EndpointNews, type EndpointPast, endpointNews, pastOf } from './endpoint-news.ts';
import type { Endpoints } from './endpoints.ts';

export interface EndpointNewsWatchDeps {
  readonly endpoints: Pick<Endpoints, 'load' | 'record' | 'records' | 'subscribe'>;
  readonly report: (news: EndpointNews) => void;
  /** Called when an endpoint is removed. */
  readonly forget: (endpoint: EndpointNews['endpoint']) => void;
  readonly now: Now;
}

/** Reports the news of all endpoints. The states in which a daemon's start finds them are none. */
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
    const { endpoints, report, forget, now } = this.#deps;
    const record = endpoints.record(name);
    const before = this.#pasts.get(name);
    if (!record) {
      this.#pasts.delete(name);
      if (before) forget({ namespace: before.record.namespace, name });
      return;
    }
    const { past, news } = endpointNews(before ?? pastOf(record), record, now());
    this.#pasts.set(name, past);
    if (news) report(news);
  }
}
