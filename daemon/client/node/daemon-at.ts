import type { DaemonStatus } from '../../contract/daemon.ts';
import type { Operation } from '../../contract/operations/operation.ts';
import { operations, type ReplyBody } from '../../contract/operations/operations.ts';
import type { CallName, DaemonClient } from '../calls.ts';
import { createDaemonClient } from '../daemon-client.ts';
import { DaemonError } from '../daemon-error.ts';
import { addresses, deadlineOf } from './addresses.ts';

/**
 * A client for programs, which checks each reply and follows no redirect.
 * @param baseUrl scheme, host and port
 * @param options.token for operations that need a caller, and daemons that need one for all
 * @param options.deadlineMs replaces the deadline of each operation; null: none
 */
export function daemonAt(
  baseUrl: string,
  { token, deadlineMs }: { readonly token?: string | undefined; readonly deadlineMs?: number | null } = {},
): DaemonClient {
  const client = createDaemonClient({
    ...{ addresses, baseUrl, send: bearerFetch(token) },
    deadlineOf: deadlineMs === undefined ? deadlineOf : () => deadlineMs,
  });
  return { call: async (name, ...input) => parsed(name, await client.call(name, ...input)) };
}

function parsed<N extends CallName>(name: N, reply: unknown): ReplyBody<N> {
  const { status, schema, relayed = schema }: Operation['success'] = operations[name].success;
  const own = schema.safeParse(reply);
  const { data, error } = own.success ? own : relayed.safeParse(reply);
  if (!error) return data as ReplyBody<N>;
  const [issue] = error.issues;
  const flaw = [issue?.path.join('.'), issue?.message].filter(Boolean).join(': ');
  const message = `The daemon's reply to ${name} is not valid (${flaw}). It may be of another version.`;
  throw new DaemonError(status, message, [], error);
}

/** A fetch for a daemon that follows no redirect. @param token sent as a bearer token; undefined: none */
export function bearerFetch(token: string | undefined): typeof fetch {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return (input, init) =>
    fetch(input, {
      ...init,
      headers: { ...(init?.headers as Record<string, string>), ...authorization },
      redirect: 'error',
    });
}

const ANSWER_WITHIN_MS = 1_500;

/**
 * Asks the program at an address for its status.
 * @param token for a daemon that requires one of every request
 * @param deadlineMs of the answer
 * @returns null if it is not a robot daemon, refuses, or does not answer
 */
export function askDaemon(url: string, token?: string, deadlineMs = ANSWER_WITHIN_MS): Promise<DaemonStatus | null> {
  return daemonAt(url, { deadlineMs, token })
    .call('getDaemonStatus')
    .catch(() => null);
}
