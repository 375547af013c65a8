/** `npm run dev`: the daemon with Vite inside, on one origin. `node --watch` restarts it on changes. */
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { type RequestHandler, Router } from 'express';
import { createServer } from 'vite';
import { commandLine } from '../daemon/cli/command-line.ts';
import { NONCE_PLACEHOLDER, pages } from '../daemon/http/dashboard.ts';
import { allowNonce } from '../daemon/http/security/security-headers.ts';
import { projectDir } from './environment/project.ts';

/** Not the root: there renderer/api would collide with the daemon's /api. */
const SOURCES = '/source/';

async function hotDashboard(server: Server): Promise<RequestHandler> {
  const vite = await createServer({
    configFile: join(projectDir, 'vite.config.ts'),
    configLoader: 'native', // the bundled one leaves a file that --watch takes for a change
    base: SOURCES,
    appType: 'custom',
    server: { middlewareMode: true, hmr: { server } },
  });
  const router = Router();
  for (const [address, file] of Object.entries(pages)) {
    router.get(address, async (request, response) => {
      const page = await readFile(join(projectDir, 'renderer', file), 'utf8');
      // Vite puts its base before addresses from the root, and leaves relative ones alone.
      const html = await vite.transformIndexHtml(request.originalUrl, page.replaceAll('"./', `"${address}`));
      response.type('html').send(html.replaceAll(NONCE_PLACEHOLDER, allowNonce(response)));
    });
  }
  router.use(vite.middlewares);
  return router;
}

await commandLine(process.argv.slice(2), {
  projectDir,
  defaultRobot: 'auto',
  dashboard: hotDashboard,
  llamaRunner: join(projectDir, 'daemon', 'llama-runner', 'main.ts'),
});
