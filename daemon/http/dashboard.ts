import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import express, { Router } from 'express';
import { allowNonce } from './security/security-headers.ts';

/** The placeholder in the built page for the nonce of each response. */
export const NONCE_PLACEHOLDER = '__CSP_NONCE__';

const notBuilt = `<!doctype html><html lang="en"><title>Robot Desktop</title>
<h1>The dashboard is not built</h1><p>The daemon runs, but its page is not built yet. Run <code>npm run build</code>, then reload.</p></html>`;

/** The pages by address: the dashboard, and the reference of the catalog's interface. */
export const pages = { '/': 'index.html', '/api-reference/': 'api-reference/index.html' };

/** Serves the built dashboard at `/`. */
export function dashboard(folder: string): Router {
  const router = Router();
  for (const [address, file] of Object.entries(pages)) {
    router.get([address, `/${file}`], async (_request, response) => {
      const page = await readFile(join(folder, file), 'utf8').catch(() => notBuilt);
      response
        .set('Cache-Control', 'no-store')
        .type('html')
        .send(page.replaceAll(NONCE_PLACEHOLDER, allowNonce(response)));
    });
  }
  // Built files carry a hash of their content in their name.
  router.use('/assets', express.static(join(folder, 'assets'), { immutable: true, maxAge: '1y', index: false }));
  router.use(express.static(folder, { index: false, maxAge: 0 }));
  return router;
}
