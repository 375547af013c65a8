/** Writes docs/openapi.json from the contract; with `--check` says whether it is stale. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openApiDocument } from '../daemon/http/openapi.ts';
import { projectDir } from './environment/project.ts';

const path = join(projectDir, 'docs', 'openapi.json');
const { version } = JSON.parse(await readFile(join(projectDir, 'package.json'), 'utf8')) as { version: string };
const text = `${JSON.stringify(openApiDocument(version), null, 2)}\n`;

if (!process.argv.includes('--check')) {
  await writeFile(path, text);
} else if ((await readFile(path, 'utf8').catch(() => '')) !== text) {
  console.error('docs/openapi.json is stale. Run: npm run openapi');
  process.exitCode = 1;
}
