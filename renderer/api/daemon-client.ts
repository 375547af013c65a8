import type * as z from 'zod';
import type { Issue } from '../../daemon/contract/common.ts';
import type { operations } from '../../daemon/contract/operations.ts';
import { addressOf, type CallName } from './addresses.ts';
import { DaemonError } from './daemon-error.ts';

type Operations = typeof operations;
type Params<O> = O extends { readonly params: infer S extends z.ZodType } ? { readonly params: z.output<S> } : object;
type Query<O> = O extends { readonly query: infer S extends z.ZodType } ? { readonly query?: z.output<S> } : object;
type Body<O> = O extends { readonly body: infer S extends z.ZodType } ? { readonly body: z.input<S> } : object;

export type CallInput<N extends CallName> = Params<Operations[N]> &
  Query<Operations[N]> &
  Body<Operations[N]> & { readonly signal?: AbortSignal };
export type Reply<N extends CallName> = z.output<Operations[N]['success']['schema']>;

/** Input may be left out where an operation asks for none. */
type CallArguments<N extends CallName> = object extends CallInput<N> ? [CallInput<N>?] : [CallInput<N>];

export interface DaemonClient {
  /** Fails with a DaemonError, whatever goes wrong. */
  call<N extends CallName>(name: N, ...input: CallArguments<N>): Promise<Reply<N>>;
}

interface LooseInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

const TIMEOUT_MS = 10_000;
/**
 * A stop lasts as long as its app needs. A start waits for a robot that is still coming up, at most 30 s, and for the app
 * in whose place it comes, which is killed after 20 s. What asks the hub, or the service that a catalog comes from, waits
 * for it; so does a deploy there, which must not be given up before the daemon knows whether it was made.
 */
const timeouts: { readonly [N in CallName]?: number | null } = {
  stopCurrentApp: null,
  startApp: 70_000,
  restartCurrentApp: 70_000,
  refreshStore: 90_000,
  checkForUpdates: 90_000,
  getStoreApp: 40_000,
  signInToHub: 40_000,
  removeApp: 40_000,
  useRemoteCatalog: 90_000,
  refreshCatalog: 90_000,
  deployCatalogRecipe: 75_000,
};

export const NO_ANSWER = 'The daemon does not answer. It may have been stopped.';

export function createDaemonClient(send: typeof fetch = (input, init) => globalThis.fetch(input, init)): DaemonClient {
  async function call(name: CallName, input: LooseInput = {}): Promise<unknown> {
    const { method, path } = addressOf(name);
    const timeout = timeouts[name] === undefined ? TIMEOUT_MS : timeouts[name];
    const signals = [input.signal, timeout === null ? undefined : AbortSignal.timeout(timeout)].filter(isPresent);
    try {
      const response = await send(address(path, input), {
        method,
        headers: input.body === undefined ? {} : { 'content-type': 'application/json' },
        body: input.body === undefined ? null : JSON.stringify(input.body),
        signal: AbortSignal.any(signals),
      });
      if (!response.ok) throw await refusal(response);
      return await response.json();
    } catch (error) {
      throw failure(error, timeout);
    }
  }
  return { call: (name, ...[input]) => call(name, input) as Promise<never> };
}

function address(path: string, { params = {}, query = {} }: LooseInput): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? ''));
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
  ).toString();
  return search ? `${filled}?${search}` : filled;
}

async function refusal(response: Response): Promise<DaemonError> {
  const body: { error?: unknown; issues?: Issue[]; details?: Issue[] } | null = await response.json().catch(() => null);
  const message =
    typeof body?.error === 'string' ? body.error : `The daemon refused this without a reason (${response.status}).`;
  return new DaemonError(response.status, message, body?.issues ?? body?.details ?? []);
}

function failure(error: unknown, timeout: number | null): DaemonError {
  if (error instanceof DaemonError) return error;
  // A DOMException, which not every environment derives from Error.
  const name = (error as { name?: unknown } | null)?.name;
  if (name === 'TimeoutError') {
    return new DaemonError(null, `The daemon did not answer within ${(timeout ?? 0) / 1000} s. Try again.`, [], error);
  }
  if (name === 'AbortError') return new DaemonError(null, 'No longer waiting for the daemon.', [], error);
  return new DaemonError(null, NO_ANSWER, [], error);
}

function isPresent<T>(value: T | undefined): value is T {
  return value !== undefined;
}
