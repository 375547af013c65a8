import type * as z from 'zod';
import { createDocument } from 'zod-openapi';
import { SimpleError } from '../contract/common/common.ts';
import { catalogOperations } from '../contract/operations/catalog-operations.ts';
import { endpointOperations } from '../contract/operations/endpoint-operations.ts';
import { olderCatalogOperations } from '../contract/operations/older-catalog-operations.ts';
import type { Operation } from '../contract/operations/operation.ts';
import { operations } from '../contract/operations/operations.ts';

/** The whole REST interface as an OpenAPI 3.1 document, made from the contract. */
export function openApiDocument(version: string): object {
  return documentOf(operations, {
    title: 'Robot daemon',
    version,
    description: 'Installs, starts and stops apps on a robot. Served on this machine only, unless told otherwise.',
    server: 'http://127.0.0.1:8000',
  });
}

/** The catalog and its endpoints alone, as the daemon itself serves it: its version is that of the interface. */
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
      description: 'Lists models that can be deployed and the recipes to do so, and makes inference endpoints of them.',
      server: '/',
    },
  );
}

type Described = Readonly<Record<string, Operation & { readonly tags?: readonly string[] }>>;

/** The same operations under a heading of their own. */
function tagged(heading: string, described: Readonly<Record<string, Operation>>): Described {
  return Object.fromEntries(Object.entries(described).map(([name, each]) => [name, { ...each, tags: [heading] }]));
}

interface DocumentInfo {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly server: string;
}

function documentOf(described: Described, info: DocumentInfo): object {
  const { title, version, description, server } = info;
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
        token: { type: 'http', scheme: 'bearer', description: 'Made with `robot-daemon token create`' },
      },
    },
  });
}

const everywhere: NonNullable<Operation['refusals']> = {
  401: { description: 'From another machine: no access token, or a wrong one', schema: SimpleError },
  403: { description: 'The request may come from a web page of another site', schema: SimpleError },
  500: { description: 'A bug in the daemon', schema: SimpleError },
};

function describe(operationId: string, operation: Described[string]): object {
  const { summary, params, query, body, success, token, tags } = operation;
  const refusals = Object.entries({ ...everywhere, ...operation.refusals }).map(([status, { description, schema }]) => [
    status,
    { description, content: json(schema) },
  ]);
  return {
    operationId,
    summary,
    ...(tags ? { tags } : {}),
    ...(token ? { security: [{ token: [] }] } : {}),
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
