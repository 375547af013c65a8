/** Bundles Electron's main process into dist/main, for packages. */
import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { projectDir } from './project.ts';

export async function buildMain(): Promise<void> {
  await build({ configFile: join(projectDir, 'vite.main.config.ts'), logLevel: 'warn' });
  await copySerialPortBinding();
}

/** The serial port's native code, for the system that the package is made on: no bundler takes it along. */
async function copySerialPortBinding(): Promise<void> {
  const prebuilds = join(projectDir, 'node_modules', '@serialport', 'bindings-cpp', 'prebuilds');
  for (const folder of await readdir(prebuilds)) {
    if (!folder.startsWith(process.platform)) continue;
    // Where it is looked for: in the folder above that of the chunk, which is dist/main/assets.
    await cp(join(prebuilds, folder), join(projectDir, 'dist', 'main', 'prebuilds', folder), { recursive: true });
  }
}
