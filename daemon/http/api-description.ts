import type { Express } from 'express';

/** The catalog's interface, described for programs, and where a person reads the same. */
export function apiDescription(app: Express): void {
  let text: string | undefined;
  app.get('/api/v1/openapi.json', async (_request, response) => {
    // Loaded and made when it is first asked for: that takes some 50 ms, which no start should.
    text ??= JSON.stringify((await import('./openapi.ts')).catalogApiDocument());
    response.type('json').send(text);
  });
  app.get('/api/v1', (_request, response) => response.redirect(302, '/api-reference/'));
}
