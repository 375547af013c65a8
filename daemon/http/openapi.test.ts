import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { SimpleError } from '../contract/common/common.ts';
import { type Operation, refusalsOf } from '../contract/operations/operation.ts';
import { operations } from '../contract/operations/operations.ts';
import { openApiDocument } from './openapi.ts';

const document = JSON.parse(JSON.stringify(openApiDocument('1'))) as {
  paths: Record<string, Record<string, { responses: Record<string, { content: unknown }> }>>;
};
const named: [string, Operation][] = Object.entries(operations);

/** The name of the schema of a refusal in the document, if it documents one. */
function schemaOf({ path, method }: Operation, status: number): string | undefined {
  const text = JSON.stringify(document.paths[path]?.[method.toLowerCase()]?.responses[status]?.content);
  return /"#\/components\/schemas\/(\w+)"/.exec(text)?.[1];
}

describe.each(named)('%s', (_name, operation) => {
  const { path, params, query, body, caller } = operation;
  const refusals = refusalsOf(operation);

  test('documents 400 for a path, a query or a body, each in its own shape', () => {
    // Any parameter of a path can be wrongly encoded, and any body can be no JSON.
    const hasPathOrBody = path.includes('{') || body !== undefined;
    const both = query ? 'PathOrQueryError' : 'BodyError';
    const only = query ? 'QueryError' : undefined;
    expect(schemaOf(operation, 400)).toBe(hasPathOrBody ? both : only);
  });

  test('has a schema for each parameter of its path', () => {
    expect(Object.keys(params?.shape ?? {}).toSorted()).toEqual((path.match(/(?<=\{)\w+/g) ?? []).toSorted());
  });

  test('has refusals of one sentence, besides those of a path, a query or a body', () => {
    const statuses = [401, 403, 500, 503, ...Object.keys(refusals).map(Number)].filter((status) => status !== 400);
    const expected = (status: number) => {
      const { schema = SimpleError } = refusals[status] ?? {};
      if (!(schema instanceof z.ZodObject)) throw new Error(`${status} has no fields.`);
      expect(schema.shape['error']).toBe(SimpleError.shape.error); // a schema of its own has more, such as which need is unmet
      return schema.meta()?.id;
    };
    expect(statuses.map((status) => schemaOf(operation, status))).toEqual(statuses.map(expected));
    if (caller) expect(refusals).toHaveProperty('401');
  });
});
