import type { Express } from 'express';
import { catalogApiDocument } from './openapi.ts';

/** The catalog's interface, described for programs, and where a person reads the same. */
export function apiDescription(app: Express): void {
  let text: string | undefined;
  app.get('/api/v1/openapi.json', (_request, response) => {
    // Made when it is first asked for: that takes some 50 ms, which no start should.
    text ??= JSON.stringify(catalogApiDocument());
    response.type('json').send(text);
  });
  app.get('/api/v1', (_request, response) => response.redirect(302, '/api-reference/'));
}
