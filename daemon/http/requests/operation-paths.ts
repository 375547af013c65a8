import type { Operation, Right } from '../../contract/operations/operation.ts';
import { type OperationName, operations } from '../../contract/operations/operations.ts';

/** The operations at one path. */
interface OperationsAtPath {
  readonly byMethod: ReadonlyMap<string, OperationName>;
  /** The path's parameters in order, still percent-encoded. */
  readonly encodedParams: readonly string[];
}

const templates = [...Map.groupBy(Object.entries<Operation>(operations), ([, { path }]) => path)].map(
  ([path, entries]) => ({
    /** null: a parameter. */
    segments: path.split('/').map((segment) => (segment.startsWith('{') ? null : segment)),
    byMethod: new Map(entries.map(([name, { method }]) => [method, name as OperationName])),
  }),
);
const templatesByLength = Map.groupBy(templates, ({ segments }) => segments.length);

/**
 * Finds the operations at a path, case-sensitively, with or without a trailing slash.
 * @param path the path as sent, not decoded, without the query
 */
export function operationsAt(path: string): OperationsAtPath | null {
  const sent = (path.endsWith('/') ? path.slice(0, -1) : path).split('/');
  const template = templatesByLength
    .get(sent.length)
    ?.find(({ segments }) => segments.every((segment, index) => matches(segment, sent[index])));
  if (!template) return null;
  const { segments, byMethod } = template;
  return { byMethod, encodedParams: sent.filter((_, index) => segments[index] === null) };
}

function matches(segment: string | null, sent: string | undefined): boolean {
  return segment === null ? sent !== '' : segment === sent;
}

/** @throws URIError for invalid percent-encoding */
export function decodedParams({ encodedParams }: OperationsAtPath): string[] {
  return encodedParams.map((param) => decodeURIComponent(param));
}

export function allowedMethods({ byMethod }: OperationsAtPath): string[] {
  return byMethod.has('GET') ? [...byMethod.keys(), 'HEAD'] : [...byMethod.keys()];
}

/** @param method HEAD is served as GET */
export function operationFor(method: string, { byMethod }: OperationsAtPath): OperationName | null {
  return byMethod.get(method === 'HEAD' ? 'GET' : method) ?? null;
}

/** @param path see `operationsAt` */
export function operationAt(method: string, path: string): OperationName | null {
  const found = operationsAt(path);
  return found && operationFor(method, found);
}

/** The right that an operation asks for; null: everybody who may use the daemon has it. */
export function rightFor(name: OperationName): Right | null {
  const operation: Operation = operations[name];
  return operation.caller ?? null;
}

/** The path under which endpoints answer. */
export const GATEWAY_PATH = '/endpoints';

/** The first path segments of the interface for programs: those of the operations, the socket's and the endpoints'. */
const interfaceRoots = new Set(['ws', GATEWAY_PATH.slice(1), ...templates.map(({ segments }) => segments[1])]);

/** Whether a path belongs to the interface for programs, served or not, and not to the dashboard's pages. */
export function isInterfacePath(path: string): boolean {
  return interfaceRoots.has(path.split('/', 2)[1]);
}

/** Whether a request target, as sent, belongs to the gateway. */
export function isGatewayUrl(url: string): boolean {
  return /^\/endpoints(?:[/?#]|$)/.test(url);
}
