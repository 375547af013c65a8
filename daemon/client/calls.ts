import type * as z from 'zod';
import type { OperationName, operations, ReplyBody } from '../contract/operations/operations.ts';

type Operations = typeof operations;
type Params<O> = O extends { readonly params: infer S extends z.ZodType } ? { readonly params: z.output<S> } : object;
/** Every query parameter is optional in the contract. */
type Query<O> = O extends { readonly query: infer S extends z.ZodType }
  ? { readonly query?: Readonly<Partial<z.output<S>>> }
  : object;
type Body<O> = O extends { readonly body: infer S extends z.ZodType } ? { readonly body: z.input<S> } : object;

/** An operation with one reply in JSON, so neither the event stream nor a picture. */
export type CallName = Exclude<OperationName, 'watchEvents' | 'getAppIcon' | 'getSampleIcon' | 'getOwnAppIcon'>;
export type CallInput<N extends CallName> = Params<Operations[N]> &
  Query<Operations[N]> &
  Body<Operations[N]> & { readonly signal?: AbortSignal };

/** Input is optional if the operation requires none. */
export type CallArguments<N extends CallName> = object extends CallInput<N> ? [CallInput<N>?] : [CallInput<N>];

export interface DaemonClient {
  /** @throws DaemonError for every kind of failure */
  readonly call: <N extends CallName>(name: N, ...input: CallArguments<N>) => Promise<ReplyBody<N>>;
}
