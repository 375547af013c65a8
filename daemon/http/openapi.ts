import type * as z from 'zod';
import { createDocument } from 'zod-openapi';
import { SimpleError } from '../contract/common.ts';
import type { Operation } from '../contract/operation.ts';
import { operations } from '../contract/operations.ts';

/** The REST interface as an OpenAPI 3.1 document, made from the contract. */
export function openApiDocument(version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, operation] of Object.entries(operations) as [string, Operation][]) {
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: describe(name, operation) };
  }
  return createDocument({
    openapi: '3.1.1',
    info: {
      title: 'Robot daemon',
      version,
      description: 'Installs, starts and stops apps on a robot. Served on this machine only, unless told otherwise.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: 'http://127.0.0.1:8000' }],
    paths,
  });
}

const everywhere: NonNullable<Operation['refusals']> = {
  401: { description: 'From another machine: no access token, or a wrong one', schema: SimpleError },
  403: { description: 'The request may come from a web page of another site', schema: SimpleError },
  500: { description: 'A bug in the daemon', schema: SimpleError },
};

function describe(operationId: string, operation: Operation): object {
  const { summary, params, query, body, success } = operation;
  const refusals = Object.entries({ ...everywhere, ...operation.refusals }).map(([status, { description, schema }]) => [
    status,
    { description, content: json(schema) },
  ]);
  return {
    operationId,
    summary,
    ...(params || query ? { requestParams: { ...(params && { path: params }), ...(query && { query }) } } : {}),
    ...(body ? { requestBody: { required: true, content: json(body) } } : {}),
    responses: {
      [success.status]: {
        description: 'Done',
        content: { [success.contentType ?? 'application/json']: { schema: success.schema } },
      },
      ...Object.fromEntries(refusals),
    },
  };
}

const json = (schema: z.ZodType) => ({ 'application/json': { schema } });
