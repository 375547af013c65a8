import type { Express } from 'express';
import { catalogApiDocument } from './openapi.ts';
import { MethodNotAllowed } from './requests/errors.ts';

/** Serves the OpenAPI document of the catalog's interface, and redirects people to its reference page. */
export function apiDescription(app: Express): void {
  let text: string | undefined;
  app.get('/api/v1/openapi.json', (_request, response) => {
    // Built at the first request: it takes some 50 ms, too long for the start.
    text ??= JSON.stringify(catalogApiDocument());
    response.type('json').send(text);
  });
  app.get('/api/v1', (_request, response) => response.redirect(302, '/api-reference/'));
  app.all(['/api/v1', '/api/v1/openapi.json'], ({ method }) => {
    throw new MethodNotAllowed(method, ['GET', 'HEAD']);
  });
}
