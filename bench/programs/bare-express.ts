/** `node bare-express.ts <port>`: the least server of one page, with the compile cache that the daemon has too. */
import { enableCompileCache } from 'node:module';

enableCompileCache();
const { default: express } = await import('express');

const page = '<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Hello</title><h1>Hello</h1></html>';
express()
  .get('/', (_request, response) => void response.send(page))
  .listen(Number(process.argv[2]), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0)); // in order, which is when the compile cache is written
