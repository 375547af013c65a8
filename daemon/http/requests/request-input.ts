import { promisify } from 'node:util';
import express, { type Request, type Response } from 'express';
import type * as z from 'zod';
import type { Issue } from '../../contract/common/common.ts';
import type { Operation } from '../../contract/operations/operation.ts';
import type { OperationName, operations } from '../../contract/operations/operations.ts';
import { displayText } from '../../shared/display-text.ts';
import { InvalidBody, InvalidQuery } from '../../shared/invalid-input.ts';

type Parsed<Schema> = Schema extends z.ZodType ? z.infer<Schema> : undefined;
type Part<Name extends OperationName, Key extends string> =
  (typeof operations)[Name] extends Record<Key, infer Schema> ? Parsed<Schema> : undefined;

/** The parts of a request, parsed by the schemas of its operation. */
export interface RequestInput<Name extends OperationName> {
  readonly params: Part<Name, 'params'>;
  readonly query: Part<Name, 'query'>;
  readonly body: Part<Name, 'body'>;
}

/** Larger than any valid body. */
const MAX_BODY = '64kb';
const readJson = promisify(express.json({ limit: MAX_BODY, strict: false }));

/**
 * Parses the path, then the query, then the body, so that an invalid path is refused before the body is read.
 * @param sentParams the path's parameters in order, decoded
 * @throws InvalidBody, InvalidQuery
 */
export async function requestInput(
  { path, params, query, body }: Operation,
  sentParams: readonly string[],
  request: Request,
  response: Response,
): Promise<RequestInput<OperationName>> {
  const names = path.match(/(?<=\{)\w+/g) ?? [];
  const named = Object.fromEntries(names.map((name, index) => [name, sentParams[index]]));
  return {
    params: params && parse('path', params, named),
    query: query && parse('query', query, request.query),
    body: body && parse('body', body, await jsonBody(request, response)),
  } as RequestInput<OperationName>;
}

/** A sentence names at most three issues; the reply lists all. */
const maxIssuesShown = 3;
/** The longest of our own, with a path, says that an image has exactly one of twelve keys. */
const maxCharactersOfIssue = 240;

/** Issues in one sentence, for programs that show only the message. */
function summarize(part: string, issues: readonly Issue[]): string {
  const shown = issues.slice(0, maxIssuesShown).map(({ path, message }) => {
    const text = path.length === 0 ? message : `${path.join('.')}: ${message}`;
    return displayText(text, maxCharactersOfIssue); // a path may have keys of the caller
  });
  const more = issues.length > maxIssuesShown ? `; and ${issues.length - maxIssuesShown} more` : '';
  return `The ${part} is invalid (${shown.join('; ')}${more}).`;
}

async function jsonBody(request: Request, response: Response): Promise<unknown> {
  await readJson(request, response);
  if (request.body === undefined) {
    const type = request.headers['content-type'];
    const message = type ? `its content type is ${type}` : 'no content type';
    throw new InvalidBody('A body of content type application/json is required.', [{ path: [], message }]);
  }
  return request.body;
}

function parse<T>(part: 'path' | 'query' | 'body', schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issues = result.error.issues.flatMap(issuesOf);
  throw new (part === 'query' ? InvalidQuery : InvalidBody)(summarize(part, issues), issues);
}

/** One issue for each mistake: zod reports all unknown keys of an object as one. */
function issuesOf(issue: z.core.$ZodIssue): Issue[] {
  const { code, message } = issue;
  const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part));
  if (code !== 'unrecognized_keys') return [{ code, path, message }];
  return issue.keys.map((key) => ({ code, path: [...path, key], message: 'does not belong here' }));
}
