import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import type { Caller } from '../../access/caller.ts';
import type { EndpointRef } from '../../contract/endpoints/endpoint.ts';
import type { Acquiring, Affinity, Backend, BackendAddress, Backends } from '../../endpoints/replicas/backends.ts';
import { EndpointUnavailable } from '../../endpoints/states/errors.ts';
import type { FollowedRequest } from '../../endpoints/traffic-records.ts';
import { type Clock, sleepOn } from '../../shared/clock.ts';
import { type AnswerWatcher, type ExchangeDeadlines, type ExchangeResult, exchange } from './exchange.ts';
import { GatewayRefusal } from './gateway-refusal.ts';
import type { HeldBody } from './held-body.ts';
import { forwardedHeaders } from './passed-headers.ts';
import { isChatRequest, isGeneration } from './request-kind.ts';
import type { UpstreamPools } from './upstream-pools.ts';

/** How often a request is sent: a request that crashes each replica must not be sent without end. */
const MAX_SENDS = 8;
/**
 * How often a request is sent to one replica. Connections of a replica that is well may break too; but the port of a
 * container goes on accepting and breaking connections while the program inside no longer listens.
 */
const MAX_SENDS_TO_ONE = 3;
/** A replica may refuse connections for a moment; it is tried this long even if the caller does not want to wait. */
const MIN_CONNECT_MS = 2_000;
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 500;

export interface ForwardDeps {
  readonly pools: UpstreamPools;
  readonly backends: Backends;
  readonly deadlines: ExchangeDeadlines;
  readonly clock: Clock;
}

/** The longest waits for a replica: for one that is to start, and for a turn. */
export type ReplicaWaits = Pick<Acquiring, 'waitMs' | 'queueMs'>;

type SendDeps = Omit<ForwardDeps, 'backends'>;

export interface Forwarded {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly pathAndQuery: string;
  readonly body: HeldBody;
  /** The sender; null: unknown. */
  readonly caller: Caller | null;
  /** The sender's address; empty: unknown. */
  readonly address: string;
  /** Aborted once the caller is gone. */
  readonly signal: AbortSignal;
  /** Watch the answer, beside those of the traffic and of sessions. */
  readonly watchers: readonly AnswerWatcher[];
}

/**
 * Has a request answered by a ready replica. One that is lost before it began to answer is replaced: the request waits
 * again and is sent again, after a few losses of the same replica only to another one. After the first byte of an answer
 * it never is.
 * @param waits the longest ones for a replica, each time
 * @throws GatewayRefusal, and the errors of `Backends.acquire`
 */
export async function forward(
  endpoint: EndpointRef,
  forwarded: Forwarded,
  followed: FollowedRequest,
  waits: ReplicaWaits,
  deps: ForwardDeps,
): Promise<ExchangeResult> {
  const { backends, clock, deadlines } = deps;
  const { elapsedMs } = clock;
  const arrivedMs = elapsedMs();
  const { waitMs } = waits;
  const { signal, caller, request, pathAndQuery } = forwarded;
  const isChat = isChatRequest(request.method, pathAndQuery);
  const takesSlot = isGeneration(request.method, pathAndQuery);
  const by = caller && { kind: caller.kind, name: caller.name, mayWakePaid: caller.mayWakePaid };
  const affinity = affinityOf(forwarded);
  /** The replicas that were lost to this request. */
  const avoid = new Set<string>();
  /** Those of them that it was sent to often enough. */
  const exclude = new Set<string>();
  const wanted = { arrivedMs, signal, by, affinity, isChat, takesSlot, avoid, exclude };
  const sendsTo = new Map<string, number>();
  /** Until when a replica may refuse the connection: a wait for a turn before the first try takes nothing of it. */
  let connectsUntilMs: number | null = null;
  let sends = 0;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const leftMs = connectsUntilMs === null ? waitMs : Math.min(waitMs, connectsUntilMs - elapsedMs());
    const backend = await backends
      .acquire(endpoint, { ...waits, ...wanted, waitMs: leftMs })
      .catch((error: unknown) => {
        throw exclude.size > 0 && isTooLate(error) ? lost() : error;
      });
    let result: ExchangeResult;
    followed.sent();
    try {
      const watchers = [trafficWatcher(followed), replicaWatcher(backend), ...forwarded.watchers];
      result = await send(backend, { ...forwarded, watchers }, deps);
    } finally {
      backend.release();
    }
    if (result.kind !== 'lost' && result.kind !== 'left') return result;
    avoid.add(backend.id);
    if (result.kind === 'left') {
      // No fault of the request, however often: only its time is limited.
      if (elapsedMs() - arrivedMs >= deadlines.headMs) throw lost();
    } else if (result.sent) {
      sends += 1;
      if (sends === MAX_SENDS) throw lost();
      const sendsToIt = (sendsTo.get(backend.id) ?? 0) + 1;
      sendsTo.set(backend.id, sendsToIt);
      if (sendsToIt === MAX_SENDS_TO_ONE) exclude.add(backend.id);
      connectsUntilMs = null;
    } else {
      connectsUntilMs ??= elapsedMs() + Math.max(waitMs, MIN_CONNECT_MS);
      if (elapsedMs() >= connectsUntilMs) throw lost();
    }
    followed.waitsAgain();
    await sleepOn(clock, pauseMs, signal);
  }
}

/** Asks a replica once, without waiting or waking. @throws GatewayRefusal */
export async function forwardOnce(
  backend: BackendAddress,
  forwarded: Forwarded,
  deps: SendDeps,
): Promise<ExchangeResult> {
  const result = await send(backend, forwarded, deps);
  if (result.kind === 'lost') throw new GatewayRefusal('unavailable', 'The model server does not answer.', 1);
  return result;
}

function send(
  backend: BackendAddress & Partial<Pick<Backend, 'lost'>>,
  { request, response, pathAndQuery, body, signal, watchers }: Forwarded,
  { pools, deadlines, clock }: SendDeps,
): Promise<ExchangeResult> {
  const sending = body.next();
  const headers = forwardedHeaders(request.headers).flat();
  if (sending) headers.push('content-length', String(sending.length));
  return pools.with(backend, (pool) =>
    exchange({
      clock,
      pool,
      request: {
        method: request.method as Dispatcher.HttpMethod,
        path: pathAndQuery,
        headers,
        // An iterable is what undici's types lack here; it accepts one.
        body: (sending?.body ?? null) as Buffer | null,
      },
      response,
      signal,
      ...(backend.lost && { lost: backend.lost }),
      deadlines,
      watchers,
      onBegun: () => body.drop(),
    }),
  );
}

/** Tokens tell callers apart also where many of them share an address. */
function affinityOf({ request, caller, address }: Pick<Forwarded, 'request' | 'caller' | 'address'>): Affinity {
  const mcpSession = request.headers['mcp-session-id'];
  return {
    caller: caller ? `${caller.kind} ${caller.id}` : `address ${address}`,
    mcpSession: typeof mcpSession === 'string' ? mcpSession : null,
  };
}

function trafficWatcher(followed: FollowedRequest): AnswerWatcher {
  return {
    head: (_status, response, headers) =>
      followed.answers(String(response.getHeader('content-type') ?? ''), headers['content-encoding']?.toString()),
    data: (chunk) => followed.data(chunk),
  };
}

function replicaWatcher(backend: Pick<Backend, 'openedSession' | 'answers'>): AnswerWatcher {
  return {
    head: (_status, response) => {
      backend.answers();
      const opened = response.getHeader('mcp-session-id');
      if (typeof opened === 'string') backend.openedSession(opened);
    },
    data: () => backend.answers(),
  };
}

/** Whether the wait for a replica ended without one that could still come. */
function isTooLate(error: unknown): boolean {
  return error instanceof EndpointUnavailable && error.retryAfterS !== null;
}

function lost(): GatewayRefusal {
  return new GatewayRefusal('model-server-failed', 'The model server ended before it answered.', 1);
}
