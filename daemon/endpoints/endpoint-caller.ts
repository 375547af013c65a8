import type { Person } from '../contract/endpoint.ts';

/** The caller of an operation, so far as endpoints depend on it. */
export interface EndpointCaller extends Person {
  /** Where the caller may use endpoints; null: everywhere. */
  readonly namespaces: readonly string[] | null;
}

export function mayUse({ namespaces }: EndpointCaller, namespace: string): boolean {
  return namespaces?.includes(namespace) ?? true;
}

/** What an endpoint keeps of the caller who made or changed it. */
export function personOf({ id, name }: EndpointCaller): Person {
  return { id, name };
}
