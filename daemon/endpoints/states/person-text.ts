import type { Person } from '../../contract/endpoints/endpoint.ts';

/** The callers of this machine's own user, by their ids; tokens have ids of 16 hexadecimal digits. */
const ownCallers: Readonly<Record<string, string>> = { dashboard: 'The dashboard', terminal: 'The terminal' };

/** The subject of a sentence about an act of a person. */
export function personText({ id, name }: Person): string {
  return ownCallers[id] ?? name;
}
