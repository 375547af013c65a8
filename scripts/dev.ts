/** `npm run dev`: the daemon with Vite inside, so that page and daemon are one origin; run by `node --watch`. */
import { join } from 'node:path';
import { createServer } from 'vite';
import { runDaemon } from '../daemon/cli/run-daemon.ts';
import { projectDir } from './project.ts';

const vite = await createServer({
  configFile: join(projectDir, 'vite.config.ts'),
  appType: 'spa',
  server: { middlewareMode: true, hmr: { port: 0 } },
});
const argv = process.argv.slice(2);
await runDaemon(argv.includes('--sim') ? argv : [...argv, '--sim'], { dashboard: vite.middlewares });
