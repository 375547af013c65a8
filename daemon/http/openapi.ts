import type * as z from 'zod';
import { createDocument } from 'zod-openapi';
import { catalogOperations, olderCatalogOperations } from '../contract/operations/catalog-operations.ts';
import { endpointOperations } from '../contract/operations/endpoint-operations.ts';
import { commonRefusals, type Operation, refusalsOf } from '../contract/operations/operation.ts';
import { operations } from '../contract/operations/operations.ts';

/** The REST interface as an OpenAPI 3.1 document, generated from the contract. */
export function openApiDocument(version: string): object {
  return documentOf(operations, {
    title: 'Robot daemon',
    version,
    description: 'Installs, starts and stops apps on a robot. Serves this machine only by default.',
    server: 'http://127.0.0.1:8000',
  });
}

/** The part of the interface for the catalog and endpoints, which has its own version. */
export function catalogApiDocument(): object {
  return documentOf(
    {
      ...tagged('Catalog', catalogOperations),
      ...tagged('Endpoints', endpointOperations),
      ...tagged('Older clients', olderCatalogOperations),
    },
    {
      title: 'Inference endpoint catalog',
      version: '1.0.0',
      description: 'Lists deployable models and their recipes, and creates inference endpoints from them.',
      server: '/',
    },
  );
}

type Described = Readonly<Record<string, Operation & { readonly tags?: readonly string[] }>>;

/** Tags operations with a heading. */
function tagged(heading: string, described: Readonly<Record<string, Operation>>): Described {
  return Object.fromEntries(Object.entries(described).map(([name, each]) => [name, { ...each, tags: [heading] }]));
}

type DocumentInfo = Readonly<Record<'title' | 'version' | 'description' | 'server', string>>;

function documentOf(described: Described, { title, version, description, server }: DocumentInfo): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, operation] of Object.entries(described)) {
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: describe(name, operation) };
  }
  return createDocument({
    openapi: '3.1.1',
    info: { title, version, description, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: server }],
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'Created with `robot-daemon token create`' },
      },
    },
  });
}

const etagHeader = {
  ETag: { description: 'A weak tag of the reply', required: true, schema: { type: 'string' as const } },
};

function describe(operationId: string, operation: Described[string]): object {
  const { summary, aliasOf, params, query, body, success, caller, tags } = operation;
  const refusals = Object.entries({ ...commonRefusals, ...refusalsOf(operation) }).map(
    ([status, { description, schema }]) => [status, { description, content: json(schema) }],
  );
  return {
    operationId,
    summary,
    ...(aliasOf ? { description: `Another name for \`${aliasOf}\`, for apps written for another daemon.` } : {}),
    ...(tags ? { tags } : {}),
    ...(caller ? { security: [{ token: [] }] } : {}),
    ...(params || query ? { requestParams: { ...(params && { path: params }), ...(query && { query }) } } : {}),
    ...(body ? { requestBody: { required: true, content: json(body) } } : {}),
    responses: {
      [success.status]: {
        description: 'Done',
        ...(success.isConditional ? { headers: etagHeader } : {}),
        content: { [success.contentType ?? 'application/json']: { schema: success.schema } },
      },
      ...(success.isConditional
        ? { 304: { description: 'Unchanged: If-None-Match has the current ETag', headers: etagHeader } }
        : {}),
      ...Object.fromEntries(refusals),
    },
  };
}

const json = (schema: z.ZodType) => ({ 'application/json': { schema } });
