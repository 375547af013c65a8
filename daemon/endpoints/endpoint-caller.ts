import type { Person } from '../contract/endpoints/endpoint.ts';

/** The caller of an operation on endpoints. */
export interface EndpointCaller extends Person {
  /** The namespaces that the caller may use; null: every one. */
  readonly namespaces: readonly string[] | null;
}

export function mayUse({ namespaces }: EndpointCaller, namespace: string): boolean {
  return namespaces?.includes(namespace) ?? true;
}

/** The part of a caller that an endpoint records as its creator or last editor. */
export function personOf({ id, name }: EndpointCaller): Person {
  return { id, name };
}
