import type { Operation } from '../contract/operation.ts';
import { operations } from '../contract/operations.ts';
import { pathPattern } from './path-pattern.ts';

const paths = Map.groupBy(
  Object.values<Operation>(operations).filter(({ token }) => token),
  ({ method }) => method as string,
);
const patterns = new Map(
  [...paths].map(([method, of]) => [method, new RegExp(`^(?:${of.map(({ path }) => pathPattern(path)).join('|')})$`)]),
);

/**
 * Whether a request is for an operation that only known callers may use.
 * @param path as it arrived, without the query
 */
export function isTokenOperation(method: string, path: string): boolean {
  return patterns.get(method === 'HEAD' ? 'GET' : method)?.test(path) ?? false;
}
