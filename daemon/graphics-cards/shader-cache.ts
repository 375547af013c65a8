import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../shared/files/make-folder.ts';
import type { Logger } from '../shared/logger.ts';

/** About ten models. Drivers drop what was not used for longest. */
const MAX_BYTES = 512 * 1024 ** 2;

/**
 * What graphics drivers have compiled for models, which takes half a minute the first time. It is kept in the data folder
 * for one driver: with another one it is of no use.
 */
export class ShaderCache {
  readonly #folder: string;
  readonly #log: Pick<Logger, 'warn'>;

  constructor(folder: string, log: Pick<Logger, 'warn'>) {
    this.#folder = folder;
    this.#log = log;
  }

  /**
   * The variables that lead the drivers of Linux to the folder; those of other systems have a place of their own. Removes
   * what belongs to other drivers.
   * @param driver its key, see driver-key.ts
   * @returns none where the folder cannot be used: then the driver keeps it where it usually does
   */
  async variables(driver: string): Promise<Readonly<Record<string, string>>> {
    if (process.platform !== 'linux') return {};
    const own = join(this.#folder, driver);
    try {
      await makeFolder(own);
      for (const name of await readdir(this.#folder)) {
        if (name !== driver) await rm(join(this.#folder, name), { recursive: true, force: true });
      }
    } catch (error) {
      this.#log.warn(`what the graphics driver compiles is not kept in ${own} (${(error as Error).message})`);
      return {};
    }
    return {
      // Mesa: docs.mesa3d.org/envvars.html
      ...{ MESA_SHADER_CACHE_DIR: own, MESA_SHADER_CACHE_MAX_SIZE: `${MAX_BYTES / 1024 ** 2}M` },
      // NVIDIA: README of its driver for Linux, "Specifying OpenGL Environment Variable Settings"; Vulkan follows it
      ...{
        __GL_SHADER_DISK_CACHE: '1',
        __GL_SHADER_DISK_CACHE_PATH: own,
        __GL_SHADER_DISK_CACHE_SIZE: String(MAX_BYTES),
      },
      // AMD's own driver beside Mesa's
      AMD_SHADER_DISK_CACHE_PATH: own,
    };
  }
}
