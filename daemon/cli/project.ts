import { readFileSync } from 'node:fs';
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

/** @param projectDir see projectResources */
export function projectVersion(projectDir: string): string {
  const { version } = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8')) as { version: string };
  return version;
}
