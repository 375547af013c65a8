import { promisify } from 'node:util';
import express, { type Request, type Response, type Router } from 'express';
import type * as z from 'zod';
import type { Issue } from '../contract/common.ts';
import type { Operation } from '../contract/operation.ts';
import { type OperationName, operations } from '../contract/operations.ts';
import { InvalidBody, InvalidQuery } from '../shared/invalid-input.ts';
import { callerFor } from './caller.ts';

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

/** What a few handlers need beyond the input: who calls, and a cookie to set. */
export interface Exchange {
  readonly request: Request;
  readonly response: Response;
}

/** Larger than any body that the contract knows. */
const MAX_BODY = '64kb';
const readJson = promisify(express.json({ limit: MAX_BODY, strict: false }));

/**
 * Serves an operation of the contract: parses the request, calls one method, answers. What is wrong with a path is told
 * before its body is read.
 */
export function serve<Name extends OperationName>(
  router: Router,
  name: Name,
  handle: (input: OperationInput<Name>, exchange: Exchange) => OperationOutput<Name> | Promise<OperationOutput<Name>>,
): void {
  const operation: Operation = operations[name];
  const method = operation.method.toLowerCase() as Lowercase<Operation['method']>;
  router[method](expressPath(operation.path), async (request, response) => {
    if (operation.token) callerFor(request); // nobody gets here otherwise; should the door ever be left open, this is shut
    const input = {
      params: operation.params && parse(operation.params, request.params, invalidPath),
      query: parseQuery(name, request),
      body: operation.body && parse(operation.body, await jsonBody(request, response), invalidBody),
    } as OperationInput<Name>;
    response.status(operation.success.status).json(await handle(input, { request, response }));
  });
}

/** The query of a request, as its operation says. @throws InvalidQuery */
export function parseQuery<Name extends OperationName>(name: Name, request: Request): Part<Name, 'query'> {
  const { query }: Operation = operations[name];
  return (query && parse(query, request.query, invalidQuery)) as Part<Name, 'query'>;
}

/** `/api/jobs/{jobId}` as Express writes it. */
export function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

const invalidPath = (issues: Issue[]) => new InvalidBody(told('path', issues), issues);
const invalidBody = (issues: Issue[]) => new InvalidBody(told('body', issues), issues);
const invalidQuery = (issues: Issue[]) => new InvalidQuery(told('query', issues), issues);

/** As many as a person reads in one sentence; the entries have all. */
const MOST_TOLD = 3;
const MOST_CHARACTERS = 120;

/** What is wrong in a sentence, for the programs that show nothing but that. */
function told(part: string, issues: readonly Issue[]): string {
  const first = issues.slice(0, MOST_TOLD).map(({ path, message }) => {
    const words = path.length === 0 ? message : `${path.join('.')}: ${message}`;
    return words.slice(0, MOST_CHARACTERS);
  });
  const more = issues.length > MOST_TOLD ? `; and ${issues.length - MOST_TOLD} more` : '';
  return `The ${part} is not what it should be (${first.join('; ')}${more}).`;
}

async function jsonBody(request: Request, response: Response): Promise<unknown> {
  await readJson(request, response);
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
  throw refusal(result.error.issues.flatMap(issuesOf));
}

/** One issue for one thing that is wrong: several members that do not belong are several. */
function issuesOf(issue: z.core.$ZodIssue): Issue[] {
  const { code, message } = issue;
  const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part));
  if (code !== 'unrecognized_keys') return [{ code, path, message }];
  return issue.keys.map((key) => ({ code, path: [...path, key], message: 'does not belong here' }));
}
