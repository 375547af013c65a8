import type { Router } from 'express';
import { catalogApiDocument } from './openapi.ts';

/** The catalog's interface, described for programs, and where a person reads the same. */
export function apiDescription(router: Router): void {
  let text: string | undefined;
  router.get('/api/v1/openapi.json', (_request, response) => {
    text ??= JSON.stringify(catalogApiDocument()); // takes some 25 ms, which no start should
    response.type('json').send(text);
  });
  router.get('/api/v1', (_request, response) => response.redirect(302, '/api-reference/'));
}
