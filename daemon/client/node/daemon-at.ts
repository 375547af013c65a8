import type { Operation } from '../../contract/operations/operation.ts';
import { operations, type ReplyBody } from '../../contract/operations/operations.ts';
import type { CallName, DaemonClient } from '../calls.ts';
import { type ClientOptions, createDaemonClient } from '../daemon-client.ts';
import { DaemonError } from '../daemon-error.ts';
import { bearerFetch } from './bearer-fetch.ts';

/**
 * A client for programs, which checks each reply and follows no redirect.
 * @param baseUrl scheme, host and port
 * @param options `token`: for operations that need a caller, and daemons that need one for all
 */
export function daemonAt(
  baseUrl: string,
  { token, ...options }: Pick<ClientOptions, 'deadlineMs'> & { readonly token?: string | undefined } = {},
): DaemonClient {
  const client = createDaemonClient({ ...options, baseUrl, send: bearerFetch(token) });
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
