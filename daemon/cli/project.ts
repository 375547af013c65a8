import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DaemonResources } from '../daemon-options.ts';

const projectDir = join(import.meta.dirname, '..', '..');

/** Where the command finds what is not code. */
export const projectResources: DaemonResources = {
  assetsDir: join(projectDir, 'assets'),
  dashboardDir: join(projectDir, 'dist', 'renderer'),
};

export async function projectVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(projectDir, 'package.json'), 'utf8')) as { version: string };
  return version;
}
