import type { Person } from '../contract/endpoints/endpoint.ts';

/** The caller of an operation, so far as endpoints depend on it. */
export interface EndpointCaller extends Person {
  /** Where the caller may use endpoints; null: everywhere. */
  readonly namespaces: readonly string[] | null;
}

export function mayUse({ namespaces }: EndpointCaller, namespace: string): boolean {
  return namespaces?.includes(namespace) ?? true;
}

/** The part of a caller that an endpoint records as its maker or changer. */
export function personOf({ id, name }: EndpointCaller): Person {
  return { id, name };
}
