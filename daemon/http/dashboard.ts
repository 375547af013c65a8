import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import express, { type RequestHandler, Router } from 'express';
import { allowNonce } from './security/security-headers.ts';

/** The placeholder in the built page for the nonce of each response. */
export const NONCE_PLACEHOLDER = '__CSP_NONCE__';

const notBuilt = `<!doctype html><html lang="en"><title>Robot Desktop</title>
<h1>The dashboard is not built</h1><p>The daemon runs, but its page is not built yet. Run <code>npm run build</code>, then reload.</p></html>`;

/** The pages by address: the dashboard, and the reference of the catalog's interface. */
export const pages = { '/': 'index.html', '/api-reference/': 'api-reference/index.html' };

/** Files are sent as a whole: a range that a file does not have would be an error of the daemon. */
const whole = { acceptRanges: false, index: false } as const;
/** Built files carry a hash of their content in their name. */
const builtFiles = { ...whole, immutable: true, maxAge: '1y' } as const;
/** The endings of the files that the build has compressed, by their encoding. */
const endings = { br: '.br', gzip: '.gz' } as const;
/** The smaller one first. Express would take the one that a browser names first, and each names gzip first. */
const encodings = ['br', 'gzip'] as const;

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
  const assets = join(folder, 'assets');
  router.use('/assets', compressedFiles(assets), express.static(assets, builtFiles));
  router.use(express.static(folder, { ...whole, maxAge: 0 }));
  return router;
}

/** Sends scripts and style sheets as the build has compressed them, where the browser accepts that. */
function compressedFiles(folder: string): RequestHandler {
  const send = express.static(folder, {
    ...builtFiles,
    setHeaders: (response, file) => {
      const ending = extname(file);
      response.type(extname(file.slice(0, -ending.length)));
      response.set('Content-Encoding', ending === endings.br ? 'br' : 'gzip');
    },
  });
  return (request, response, next) => {
    if (!/\.(?:js|css)$/.test(request.path)) return next();
    response.vary('Accept-Encoding');
    const encoding = encodings.find((each) => request.acceptsEncodings(each));
    if (!encoding) return next();
    const { url } = request;
    request.url = request.path + endings[encoding];
    send(request, response, (error) => {
      request.url = url;
      next(error);
    });
  };
}
