import type { RequestHandler } from 'express';
import { operations } from '../contract/operations.ts';
import { MethodNotAllowed, PathNotFound } from './errors.ts';
import { pathPattern } from './path-pattern.ts';

const known = Object.values(operations).map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${pathPattern(path)}$`),
}));

/** Answers what no route has taken: 405 for a known path, 404 for the others. */
export const knownPaths: RequestHandler = (request) => {
  const path = request.baseUrl + request.path;
  const methods = known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
  if (methods.length === 0) throw new PathNotFound(path.slice(0, 200));
  throw new MethodNotAllowed(request.method, methods.includes('GET') ? [...methods, 'HEAD'] : methods);
};
