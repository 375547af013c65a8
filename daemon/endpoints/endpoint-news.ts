import type { EndpointRef } from '../contract/endpoints/endpoint.ts';
import { endpointId } from '../contract/endpoints/endpoint-id.ts';
import type { EndpointLifeEvent } from '../contract/endpoints/endpoint-life.ts';
import type { NoticeKind } from '../contract/notifications/notifications.ts';
import type { Now } from '../shared/clock.ts';
import type { Logger } from '../shared/logger.ts';
import type { News } from '../shared/news.ts';
import type { Endpoints } from './endpoints.ts';
import { type EndpointRecord, refOf } from './records/endpoint-record.ts';

interface EndpointNewsWatchDeps {
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

/** The facts besides its record that the news of an endpoint depend on. */
interface EndpointPast {
  readonly record: EndpointRecord;
  /** It has failed since it last ran as it was meant to. */
  readonly hasFailed: boolean;
}

/** The past of an endpoint that is new, or that a daemon's start has restored: its state is no news. */
export function pastOf(record: EndpointRecord): EndpointPast {
  return { record, hasFailed: isFailure(record) };
}

/**
 * The news of a change: it runs for the first time, after a failure or with an update; it failed, or its update did; it fell
 * asleep after a failure. Sleeping and waking are none: they happen all day.
 */
export function endpointNews(
  past: EndpointPast,
  record: EndpointRecord,
  now: Date,
): { readonly past: EndpointPast; readonly news: News | null } {
  const described = describe(past, record);
  const added = described === null ? addedChannels(past, record, now) : null;
  const { state } = record.endpoint.status;
  const runs = state === 'running' && record.endpoint.status.readyReplica > 0;
  const after = { record, hasFailed: isFailure(record) || (past.hasFailed && !runs) };
  const what = described ?? (added && failedNews(record));
  if (!what) return { past: after, news: null };
  const endpoint = refOf(record);
  const { push, email } = added ?? record.endpoint.notifications;
  const title = `${endpointId(endpoint)} ${what.verb}.`;
  const news = { kind: what.kind, endpoint, title, text: what.text, at: now, isFailure: what.isFailure };
  return { past: after, news: { ...news, isKnown: described === null, wants: { push, email } } };
}

interface NewsText {
  readonly kind: NoticeKind;
  /** `runs again` */
  readonly verb: string;
  readonly text: string;
  readonly isFailure: boolean;
}

function describe({ record: before, hasFailed }: EndpointPast, record: EndpointRecord): NewsText | null {
  const { status } = record.endpoint;
  const from = before.endpoint.status.state;
  const why = status.errorMessage ?? failureText(record) ?? status.message;
  switch (status.state) {
    case 'failed':
      if (from === 'failed') return null;
      return failedNews(record);
    case 'updateFailed':
      if (from === 'updateFailed') return null;
      return {
        ...{ kind: 'endpoint-update-failed', verb: 'could not be updated', isFailure: true },
        text: `${why} The previous version serves requests.`,
      };
    case 'scaledToZero':
      // A person's own command clears the failure.
      if (from === 'scaledToZero' || record.failure === null) return null;
      return {
        ...{ kind: 'endpoint-asleep', verb: 'fell asleep after a failure', isFailure: false },
        text: `The next request wakes it, with the update that failed: ${why}`,
      };
    case 'running':
      return status.readyReplica > 0 ? runningNews(from, before, hasFailed) : null;
    default:
      return null;
  }
}

function failedNews({ endpoint: { status } }: EndpointRecord): NewsText {
  return { kind: 'endpoint-failed', verb: 'failed', text: status.errorMessage ?? status.message, isFailure: true };
}

function runningNews(from: string, before: EndpointRecord, hasFailed: boolean): NewsText | null {
  const kind = 'endpoint-running';
  if (from === 'updating') return { kind, verb: 'runs with its update', text: 'It is ready.', isFailure: false };
  if (hasFailed) return { kind, verb: 'runs again', text: 'It had failed before.', isFailure: false };
  if (before.hasServed) return null;
  return { kind, verb: 'runs', text: 'It is ready for requests.', isFailure: false };
}

const isFailure = ({ endpoint: { status }, failure }: EndpointRecord) =>
  status.state === 'failed' || status.state === 'updateFailed' || (status.state === 'scaledToZero' && failure !== null);

const failureText = ({ failure }: EndpointRecord) => failure && `${failure.message} ${failure.action}`;

/** A deploy switches its channels on with its next request: a failure between the two is reported there all the same. */
const SWITCHED_ON_WITHIN_MS = 60_000;

/** The channels that were switched on at an endpoint that has just failed; null: none. */
function addedChannels({ record: before }: EndpointPast, record: EndpointRecord, now: Date) {
  const { status, notifications } = record.endpoint;
  const failedAt = Date.parse(before.endpoint.status.updatedAt);
  if (status.state !== 'failed' || before.endpoint.status.state !== 'failed') return null;
  if (now.getTime() - failedAt > SWITCHED_ON_WITHIN_MS) return null;
  const push = notifications.push && !before.endpoint.notifications.push;
  const email = notifications.email && !before.endpoint.notifications.email;
  return push || email ? { push, email } : null;
}
