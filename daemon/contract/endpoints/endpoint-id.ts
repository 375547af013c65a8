/** Names of endpoints for maps and people. Has no schemas, so that pages can load it. */
import type { EndpointRef } from './endpoint.ts';

/** The text that stands for one endpoint, `lab/chat`: its key, and its whole name for a person. */
export function endpointId({ namespace, name }: EndpointRef): string {
  return `${namespace}/${name}`;
}

interface Named {
  readonly namespace: string;
  readonly endpoint: Pick<EndpointRef, 'name'>;
}

/** @returns the name of each of the endpoints for a person: with its namespace where another one has the same name */
export function namesForPeople<One extends Named>(all: readonly One[]): (one: One) => string {
  const named = Map.groupBy(all, ({ endpoint }) => endpoint.name);
  return ({ namespace, endpoint: { name } }) =>
    (named.get(name)?.length ?? 0) > 1 ? endpointId({ namespace, name }) : name;
}
