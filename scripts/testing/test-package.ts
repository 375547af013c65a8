import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { parse, stringify } from 'yaml';
import { standInDir } from '../environment/electron-for-tests.ts';
import { projectDir } from '../environment/project.ts';

/** The configuration of `npm run package`. */
export const packageConfiguration = async () => parse(await readFile(join(projectDir, 'electron-builder.yml'), 'utf8'));

interface TestPackage {
  /** The folder of the unpacked program. */
  readonly program: string;
  /** The file of the deb, if it was asked for. */
  readonly deb: string;
}

/**
 * Packs the build for Linux as `npm run package` does, with the stand-in instead of Electron's binary.
 * @param folder an empty folder, which gets the package
 * @param target `dir` is the unpacked program only
 * @param changes of the configuration
 */
export async function packForTest(folder: string, target: 'dir' | 'deb', changes: object = {}): Promise<TestPackage> {
  // Fuses are switches inside Electron's own binary.
  const { electronFuses: _, directories, deb, ...rest } = await packageConfiguration();
  const configuration = {
    ...rest,
    productName: 'robot-desktop',
    electronDist: standInDir,
    directories: { ...directories, output: folder },
    // The default, xz, takes a minute.
    deb: { ...deb, compression: 'gz', fpm: [...deb.fpm, '--deb-compression-level=0'] },
    ...changes,
  };
  const file = join(folder, 'electron-builder.yml');
  await writeFile(file, stringify(configuration));
  await execa('electron-builder', ['--publish', 'never', '--config', file, '--linux', target], {
    cwd: projectDir,
    env: { CUSTOM_FPM_PATH: join(projectDir, 'scripts', 'packaging', 'deb', 'build-deb.ts') },
  });
  const built = (await readdir(folder)).find((name) => name.endsWith('.deb')) ?? '';
  return { program: join(folder, 'linux-unpacked'), deb: join(folder, built) };
}
