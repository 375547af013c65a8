import type { ErrorRequestHandler, Response } from 'express';
import { ChatTemplateMissing, EndpointNotFound, EndpointUnavailable } from '../../endpoints/states/errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { DomainError, ShuttingDown } from '../../shared/domain-error.ts';
import type { Logger } from '../../shared/logger.ts';
import { ForeignRequest } from '../requests/errors.ts';
import { isGatewayUrl } from '../requests/operation-paths.ts';
import { setGuardHeaders } from './passed-headers.ts';

/** The status of a refusal, and its `type` and `code` in the shape that OpenAI's clients read. */
type Problem = readonly [status: number, type: string, code: string];

const problems = {
  'invalid-request': [400, 'invalid_request_error', 'invalid_request'],
  'no-chat-template': [400, 'invalid_request_error', 'no_chat_template'],
  unauthorized: [401, 'authentication_error', 'invalid_api_key'],
  forbidden: [403, 'permission_error', 'forbidden'],
  'not-found': [404, 'invalid_request_error', 'endpoint_not_found'],
  'method-not-allowed': [405, 'invalid_request_error', 'method_not_allowed'],
  'body-too-large': [413, 'invalid_request_error', 'body_too_large'],
  'too-many-requests': [429, 'rate_limit_error', 'too_many_requests'],
  'model-server-failed': [502, 'server_error', 'model_server_failed'],
  unavailable: [503, 'server_error', 'endpoint_unavailable'],
  'model-server-silent': [504, 'server_error', 'model_server_silent'],
} as const satisfies Record<string, Problem>;

type RefusalKind = keyof typeof problems;

/** The gateway itself answers a request: the model server did not get it, or gave no usable answer. */
export class GatewayRefusal extends DomainError {
  readonly kind: RefusalKind;
  /** Seconds after which a new try makes sense; null: unknown. */
  readonly retryAfterS: number | null;

  constructor(kind: RefusalKind, message: string, retryAfterS: number | null = null) {
    super(message);
    this.kind = kind;
    this.retryAfterS = retryAfterS;
  }
}

/** The time in which a refused client may still send the rest of its body; a client that reads only afterwards gets the refusal. */
const UNREAD_BODY_MS = 5_000;

/** Answers every failed request below the gateway's root in OpenAI's shape, and passes other errors on. */
export function gatewayProblemHandler(clock: Clock, log: Logger): ErrorRequestHandler {
  return (thrown: unknown, request, response, next) => {
    if (!isGatewayUrl(request.url)) return next(thrown);
    const refusal = refusalOf(thrown);
    if (!refusal) log.error(`gateway: ${request.method} ${request.path.slice(0, 200)}`, thrown);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (refusal?.kind === 'unauthorized') response.setHeader('WWW-Authenticate', 'Bearer');
    if (refusal && refusal.retryAfterS !== null) response.setHeader('Retry-After', Math.ceil(refusal.retryAfterS));
    // OpenAI's clients send a request twice more after a 503 unless a header forbids it.
    const isFinal = thrown instanceof EndpointUnavailable && thrown.retryAfterS === null;
    if (isFinal) response.setHeader('X-Should-Retry', 'false');
    if (refusal) send(clock, response, problems[refusal.kind], refusal.message);
    else send(clock, response, [500, 'server_error', 'internal_error'], 'Internal error in the daemon. See its log.');
  };
}

function refusalOf(error: unknown): GatewayRefusal | null {
  if (error instanceof GatewayRefusal) return error;
  if (error instanceof EndpointUnavailable) return new GatewayRefusal('unavailable', error.message, error.retryAfterS);
  if (error instanceof ChatTemplateMissing) return new GatewayRefusal('no-chat-template', error.message);
  if (error instanceof EndpointNotFound) return new GatewayRefusal('not-found', error.message);
  if (error instanceof ShuttingDown) return new GatewayRefusal('unavailable', error.message);
  if (error instanceof ForeignRequest) return new GatewayRefusal('forbidden', error.message);
  return null;
}

function send(clock: Clock, response: Response, [status, type, code]: Problem, message: string): void {
  const { req: request } = response;
  setGuardHeaders(response);
  response.status(status).json({ error: { message, type, param: null, code } });
  if (request.complete) return;
  // Node reads and drops the rest of the body. A connection closed at once would lose the refusal.
  const { socket } = request;
  const cancel = clock.after(UNREAD_BODY_MS, () => socket.destroy());
  socket.once('close', cancel); // an answered request itself does not report the end of its connection
  request.once('end', () => {
    cancel();
    socket.off('close', cancel);
  });
}
