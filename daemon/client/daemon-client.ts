import type { Issue } from '../contract/common/common.ts';
import type { CallName, DaemonClient } from './calls.ts';
import { DaemonError, type RefusalDetails } from './daemon-error.ts';
import { type LooseInput, requestOf } from './daemon-request.ts';

export interface ClientOptions {
  /** The method and the path of each operation, `GET /api/jobs/{jobId}`; the contract has them, with schemas that a page must not load. */
  readonly addresses: Readonly<Record<CallName, string>>;
  /** Scheme, host and port of the daemon; default: those of the page. */
  readonly baseUrl?: string;
  readonly send?: typeof fetch;
  /** The deadline of an operation's reply, in milliseconds; null: none. Default: none for all. */
  readonly deadlineOf?: (name: CallName) => number | null;
}

const NO_ANSWER = 'The daemon did not answer. It may have been stopped.';

/** A client for pages and programs. It does not check replies. */
export function createDaemonClient({
  addresses,
  baseUrl = '',
  send = (input, init) => globalThis.fetch(input, init),
  deadlineOf = () => null,
}: ClientOptions): DaemonClient {
  async function call(name: CallName, input: LooseInput & { readonly signal?: AbortSignal } = {}): Promise<unknown> {
    const { method, path, body } = requestOf(addresses[name], input);
    const timeout = deadlineOf(name);
    const signals = [input.signal, timeout === null ? undefined : AbortSignal.timeout(timeout)].filter(
      (signal) => signal !== undefined,
    );
    const request: RequestInit = {
      method,
      headers: body === null ? {} : { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.any(signals),
    };
    const ask = async () => {
      const response = await send(baseUrl + path, request);
      if (!response.ok) throw await refusal(response);
      return response.json();
    };
    try {
      return await (method === 'GET' ? ask().catch((error) => againIfLost(error, ask)) : ask());
    } catch (error) {
      throw failure(error, timeout);
    }
  }
  return { call: (name, ...[input]) => call(name, input) as Promise<never> };
}

/**
 * Asks a second time if the first request was lost on its way: Chromium gives up what it loads when a network interface
 * comes or goes, as with each container, even on loopback.
 */
function againIfLost(error: unknown, ask: () => Promise<unknown>): Promise<unknown> {
  if (error instanceof TypeError) return ask();
  throw error;
}

async function refusal(response: Response): Promise<DaemonError> {
  const body = (await response.json().catch(() => null)) as
    | (RefusalDetails & {
        readonly error?: unknown;
        readonly issues?: readonly Issue[];
        readonly details?: readonly Issue[];
      })
    | null;
  const message =
    typeof body?.error === 'string' ? body.error : `The daemon refused this without a reason (${response.status}).`;
  return new DaemonError(response.status, message, body?.issues ?? body?.details ?? [], undefined, body ?? {});
}

function failure(error: unknown, timeout: number | null): DaemonError {
  if (error instanceof DaemonError) return error;
  // A DOMException, which is not an Error in every environment.
  const name = (error as { name?: unknown } | null)?.name;
  if (name === 'TimeoutError') {
    return new DaemonError(null, `The daemon did not answer within ${(timeout ?? 0) / 1000} s. Try again.`, [], error);
  }
  if (name === 'AbortError') return new DaemonError(null, 'No longer waiting for the daemon.', [], error);
  return new DaemonError(null, NO_ANSWER, [], error);
}
