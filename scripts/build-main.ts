/** Bundles Electron's main process into dist/main, for packages. */
import { join } from 'node:path';
import { build } from 'vite';
import { projectDir } from './project.ts';

export async function buildMain(): Promise<void> {
  await build({ configFile: join(projectDir, 'vite.main.config.ts'), logLevel: 'warn' });
}
