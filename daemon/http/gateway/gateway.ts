import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { EndpointRef } from '../../contract/endpoints/endpoint.ts';
import type { Backends } from '../../endpoints/replicas/backends.ts';
import { ChatTemplateMissing } from '../../endpoints/states/errors.ts';
import type { TrafficRecords } from '../../endpoints/traffic-records.ts';
import type { Clock } from '../../shared/clock.ts';
import { isGatewayUrl } from '../requests/operation-paths.ts';
import { type AdmissionDeps, type Admitted, admit } from './admission.ts';
import type { ExchangeDeadlines, ExchangeResult } from './exchange.ts';
import { type ForwardDeps, type Forwarded, forward, forwardOnce, type ReplicaWaits } from './forward.ts';
import { GatewayRefusal } from './gateway-refusal.ts';
import { type GatewayTarget, gatewayTarget } from './gateway-target.ts';
import { type HeldBody, holdBody } from './held-body.ts';
import { AnswerRecording, type KeptAnswer, sendKept } from './kept-answer.ts';
import { allowListedPage, type ListedPagesDeps } from './listed-pages.ts';
import { type Limits, RequestLimits } from './request-limits.ts';
import type { ResponseCache } from './response-cache.ts';
import { UpstreamPools } from './upstream-pools.ts';

export interface GatewayDeps extends AdmissionDeps, ListedPagesDeps {
  readonly backends: Backends;
  readonly traffic: Pick<TrafficRecords, 'begin' | 'hit'>;
  readonly cache: ResponseCache;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly deadlines: ExchangeDeadlines & {
    readonly connectMs: number;
    /** To the head of the health route's answer. */
    readonly healthMs: number;
  };
}

/** How much the gateway takes. An hour to the head of an answer: a generation that is not streamed sends it at its end. */
export const gatewayBounds: Pick<GatewayDeps, 'limits' | 'deadlines'> = {
  limits: { perEndpoint: 1_024, inAll: 2_048, bodyBytes: 256 * 1024 * 1024 },
  deadlines: { connectMs: 5_000, headMs: 60 * 60_000, idleMs: 10 * 60_000, healthMs: 10_000 },
};

/** Seconds after which a health route is worth another look. */
const HEALTH_RETRY_S = 2;

/** Passes requests for `/endpoints/<namespace>/<name>/…` to the replicas of that endpoint, and their answers back. */
export class Gateway {
  readonly #deps: GatewayDeps;
  readonly #limits: RequestLimits;
  readonly #pools: UpstreamPools;

  constructor(deps: GatewayDeps) {
    this.#deps = deps;
    this.#limits = new RequestLimits(deps.limits);
    this.#pools = new UpstreamPools(deps.clock, deps.deadlines.connectMs);
  }

  /** Requests under way, and the bytes of bodies held for them. */
  get load(): { readonly requests: number; readonly bodyBytes: number } {
    return { requests: this.#limits.requests, bodyBytes: this.#limits.bodyBytes };
  }

  /**
   * Guards against a page of another origin: see `allowListedPage`.
   * @returns whether the request is answered. Rejects with a ForeignRequest or a GatewayRefusal
   */
  readonly allowPage = (origin: string, request: Request, response: Response): Promise<boolean> =>
    allowListedPage(origin, request, response, this.#deps);

  /** Passes requests for other paths on. Rejects with a GatewayRefusal for one that it does not forward. */
  readonly handle: RequestHandler = async (request, response, next) => {
    if (!isGatewayUrl(request.url)) return next();
    const target = gatewayTarget(request.url);
    const admitted = await admit(request, target, this.#deps);
    const { ended } = admitted;
    // The caller may have left, or lost its right, while that was looked up.
    if (ended?.aborted || response.destroyed) return void response.destroy();
    const leave = this.#limits.enter(target);
    const cut = () => response.destroy();
    ended?.addEventListener('abort', cut, { once: true });
    try {
      await this.#answer(target, admitted, request, response);
    } finally {
      ended?.removeEventListener('abort', cut);
      leave();
    }
  };

  /** Ends every connection to a replica. */
  close(): Promise<void> {
    return this.#pools.close();
  }

  async #answer(
    target: GatewayTarget,
    { endpoint, caller, address }: Admitted,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { method } = request;
    const isHealth = (method === 'GET' || method === 'HEAD') && target.path === endpoint.healthRoute;
    const gone = new AbortController();
    const onClose = () => gone.abort();
    response.once('close', onClose);
    let body: HeldBody | null = null;
    let recording: AnswerRecording | null = null;
    try {
      const waits = scaleUpWaits(request.headers['x-scale-up-timeout']);
      body = await holdBody(request, this.#limits, gone.signal);
      const { pathAndQuery } = target;
      const found = isHealth ? null : await this.#deps.cache.find(target, request, pathAndQuery, body.bytes);
      if (found && !(found instanceof AnswerRecording)) return await this.#sendKept(target, found, response);
      recording = found;
      const watchers = recording ? [recording] : [];
      const forwarded = { request, response, pathAndQuery, body, caller, address, signal: gone.signal, watchers };
      const result = isHealth ? await this.#health(target, forwarded) : await this.#counted(target, forwarded, waits);
      if (result.kind === 'refused') throw result.refusal;
      if (result.kind === 'answered') recording?.keep();
    } catch (error) {
      if (!gone.signal.aborted) throw error;
    } finally {
      response.off('close', onClose);
      body?.drop();
      recording?.drop();
    }
  }

  /** An answer of the cache wakes no endpoint and is no use of it. @throws GatewayRefusal */
  async #sendKept(endpoint: EndpointRef, kept: KeptAnswer, response: ServerResponse): Promise<void> {
    const { clock, deadlines, traffic } = this.#deps;
    const { length } = kept.body;
    this.#limits.holdBytes(length); // a slow reader keeps it in memory, also once the cache has forgotten it
    try {
      traffic.hit(endpoint);
      await sendKept(clock, kept, response, deadlines.idleMs);
    } finally {
      this.#limits.freeBytes(length);
    }
  }

  /** The health route neither wakes an endpoint nor counts as its use. */
  async #health(endpoint: EndpointRef, forwarded: Forwarded): Promise<ExchangeResult> {
    const { backends, deadlines, clock } = this.#deps;
    const backend = backends.peek(endpoint);
    if (!backend)
      throw new GatewayRefusal('unavailable', `The endpoint "${endpoint.name}" is not ready.`, HEALTH_RETRY_S);
    const { idleMs, healthMs } = deadlines;
    const deps = { pools: this.#pools, deadlines: { idleMs, headMs: healthMs }, clock };
    // Programs of this machine have their own health route, whatever the endpoint's is named.
    return forwardOnce(backend, { ...forwarded, pathAndQuery: backend.healthRoute }, deps);
  }

  async #counted(endpoint: EndpointRef, forwarded: Forwarded, waits: ReplicaWaits): Promise<ExchangeResult> {
    const { backends, deadlines, clock, traffic } = this.#deps;
    const deps: ForwardDeps = { pools: this.#pools, backends, deadlines, clock };
    const followed = traffic.begin(endpoint);
    try {
      const result = await forward(endpoint, forwarded, followed, waits, deps);
      followed.ended(outcomeOf(result));
      return result;
    } catch (error) {
      if (error instanceof ChatTemplateMissing) followed.ended('refused');
      throw error;
    } finally {
      followed.ended(forwarded.signal.aborted ? 'cancelled' : 'failed');
    }
  }
}

function outcomeOf(result: ExchangeResult) {
  if (result.kind === 'cancelled') return 'cancelled';
  return result.kind === 'answered' && result.status < 500 ? 'answered' : 'failed';
}

const DEFAULT_S = 60;
const MAX_S = 600;

/**
 * The longest waits for a replica, as the caller's `X-Scale-Up-Timeout` says it in seconds; 0: no wait. It holds for one that
 * is to start and for a turn at one that is busy; without it the wait for a turn has the endpoint's own limit.
 * Longer ones than 600 s count as 600 s. @throws GatewayRefusal
 */
export function scaleUpWaits(header: string | string[] | undefined): ReplicaWaits {
  if (header === undefined) return { waitMs: DEFAULT_S * 1_000 };
  if (typeof header !== 'string' || !/^\d{1,9}(?:\.\d{1,9})?$/.test(header)) {
    throw new GatewayRefusal('invalid-request', 'X-Scale-Up-Timeout is a number of seconds, 0 to 600.');
  }
  const waitMs = Math.min(Number(header), MAX_S) * 1_000;
  return { waitMs, queueMs: waitMs };
}
