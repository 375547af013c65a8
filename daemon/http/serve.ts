import type { Request, Router } from 'express';
import type * as z from 'zod';
import type { Issue } from '../contract/common.ts';
import type { Operation } from '../contract/operation.ts';
import { type OperationName, operations } from '../contract/operations.ts';
import { InvalidBody, InvalidQuery } from '../shared/invalid-input.ts';

type Parsed<Schema> = Schema extends z.ZodType ? z.infer<Schema> : undefined;
type Part<Name extends OperationName, Key extends string> =
  (typeof operations)[Name] extends Record<Key, infer Schema> ? Parsed<Schema> : undefined;

/** What a request holds, parsed as its operation says. */
export interface OperationInput<Name extends OperationName> {
  readonly params: Part<Name, 'params'>;
  readonly query: Part<Name, 'query'>;
  readonly body: Part<Name, 'body'>;
}
export type OperationOutput<Name extends OperationName> = z.infer<(typeof operations)[Name]['success']['schema']>;

/** Serves an operation of the contract: parses the request, calls one method, answers. */
export function serve<Name extends OperationName>(
  router: Router,
  name: Name,
  handle: (input: OperationInput<Name>) => OperationOutput<Name> | Promise<OperationOutput<Name>>,
): void {
  const operation: Operation = operations[name];
  const method = operation.method.toLowerCase() as Lowercase<Operation['method']>;
  router[method](expressPath(operation.path), async (request, response) => {
    const input = {
      params: operation.params && parse(operation.params, request.params, invalidPath),
      query: operation.query && parse(operation.query, request.query, invalidQuery),
      body: operation.body && parse(operation.body, jsonBody(request), invalidBody),
    } as OperationInput<Name>;
    response.status(operation.success.status).json(await handle(input));
  });
}

/** `/api/jobs/{jobId}` as Express writes it. */
export function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

const invalidPath = (issues: Issue[]) => new InvalidBody('The path is not what it should be.', issues);
const invalidBody = (issues: Issue[]) => new InvalidBody('The body is not what it should be.', issues);
const invalidQuery = (issues: Issue[]) => new InvalidQuery('The query is not what it should be.', issues);

function jsonBody(request: Request): unknown {
  if (request.body === undefined) {
    const type = request.headers['content-type'];
    const message = type ? `its content type is ${type}` : 'there is none';
    throw new InvalidBody('A body of content type application/json is needed.', [{ path: [], message }]);
  }
  return request.body;
}

function parse<T>(schema: z.ZodType<T>, value: unknown, refusal: (issues: Issue[]) => Error): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw refusal(
    result.error.issues.map(({ path, message }) => ({
      path: path.map((part) => (typeof part === 'symbol' ? String(part) : part)),
      message,
    })),
  );
}
