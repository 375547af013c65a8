import type { Request, RequestHandler, Response } from 'express';
import type { Caller } from '../../access/caller.ts';
import type { Operation } from '../../contract/operations/operation.ts';
import { type OperationName, operations, type ReplyBody } from '../../contract/operations/operations.ts';
import { MethodNotAllowed } from '../requests/errors.ts';
import { allowedMethods, decodedParams, operationFor, operationsAt } from '../requests/operation-paths.ts';
import { type RequestInput, requestInput } from '../requests/request-input.ts';
import { type Authenticate, requireCaller } from '../security/authentication.ts';

/** A route's input; only operations that need a caller have `caller`. */
export type RouteInput<Name extends OperationName> = RequestInput<Name> &
  ((typeof operations)[Name] extends { readonly caller: string } ? { readonly caller: Caller } : unknown);

/** Writes a reply that is no value to serialize: a stream, or a text that is serialized already. */
type WriteReply = (response: Response) => void | Promise<void>;

/** The client has the current reply. */
export const notModified: WriteReply = (response) => void response.status(304).end();

/** The HTTP exchange itself, for the few routes that read or set headers. */
export interface Exchange {
  readonly request: Request;
  readonly response: Response;
}

type MaybePromise<T> = T | Promise<T>;

/** Serves one operation of the contract: calls one method, and returns the reply's body. */
type Route<Name extends OperationName> = (
  input: RouteInput<Name>,
  exchange: Exchange,
) => MaybePromise<ReplyBody<Name> | WriteReply>;

/** A route for each operation of the contract. */
export type Routes = { readonly [Name in OperationName]: Route<Name> };

/**
 * Serves the operations that have a route, and passes other requests on. Refuses methods that the contract does not have
 * for a path. Authenticates the caller before it decodes the path and reads the body, so that an unknown caller learns
 * nothing else.
 */
export function serve(routes: Partial<Routes>, authenticate: Authenticate): RequestHandler {
  return async (request, response, next) => {
    const found = operationsAt(request.path);
    if (!found) return next();
    const name = operationFor(request.method, found);
    if (name === null) {
      decodedParams(found); // an invalid path is refused first, whatever the method
      throw new MethodNotAllowed(request.method, allowedMethods(found));
    }
    const route = routes[name] as Route<OperationName> | undefined;
    if (!route) return next();
    const operation: Operation = operations[name];
    const caller = operation.caller ? { caller: await requireCaller(request, authenticate, operation.caller) } : {};
    const input = await requestInput(operation, decodedParams(found), request, response);
    const output = await route({ ...input, ...caller } as RouteInput<OperationName>, { request, response });
    if (typeof output === 'function') await output(response);
    else response.status(operation.success.status).json(output);
  };
}
