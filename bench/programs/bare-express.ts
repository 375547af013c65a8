/**
 * `node bare-express.ts <port> [<json file>]`: a minimal server of one page, or of the file's contents, with a compile
 * cache like the daemon's.
 */
import { readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';

enableCompileCache();
const { default: express } = await import('express');

const [port, file] = process.argv.slice(2);
const page = '<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Hello</title><h1>Hello</h1></html>';
const [type, body] = file ? ['json', readFileSync(file, 'utf8')] : ['html', page];
express()
  .get('/', (_request, response) => void response.type(type).send(body))
  .listen(Number(port), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0)); // a regular exit writes the compile cache
