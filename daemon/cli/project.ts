import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DaemonResources } from '../daemon-options.ts';

/** @param projectDir the folder with package.json, assets and dist */
export function projectResources(projectDir: string): DaemonResources {
  const dist = join(projectDir, 'dist');
  return {
    assetsDir: join(projectDir, 'assets'),
    dashboardDir: join(dist, 'renderer'),
    llamaRunner: join(dist, 'node', 'llama-runner.cjs'),
    ggufReader: join(dist, 'node', 'gguf-reader.cjs'),
  };
}

export async function projectVersion(projectDir: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(projectDir, 'package.json'), 'utf8')) as { version: string };
  return version;
}
