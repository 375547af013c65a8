import { createHash } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathExists } from '../shared/async/succeeds.ts';
import { makeFolder } from '../shared/files/make-folder.ts';
import type { Logger } from '../shared/logger.ts';

/** About ten models. Drivers drop what was not used for longest. */
const MAX_BYTES = 512 * 1024 ** 2;
/** More models than drivers keep the compiled programs of: then all are forgotten. */
const MAX_MODELS = 200;

/** The programs that one driver has compiled for models. */
export interface CompiledShaders {
  /** Lead the drivers of Linux to their folder; those of other systems have a place of their own. */
  readonly variables: Readonly<Record<string, string>>;
  /**
   * Whether it has compiled all that a model needs.
   * @param model tells it from others, with its program and its card
   */
  readonly has: (model: string) => Promise<boolean>;
  /** Keeps that it has. Never rejects. */
  readonly add: (model: string) => Promise<void>;
}

const nothingKept: CompiledShaders = { variables: {}, has: async () => false, add: async () => {} };

/**
 * The programs that graphics drivers have compiled for models, which takes half a minute the first time. They are kept in
 * the data folder for one driver: another one cannot use them.
 */
export class ShaderCache {
  readonly #folder: string;
  readonly #log: Pick<Logger, 'warn'>;

  constructor(folder: string, log: Pick<Logger, 'warn'>) {
    this.#folder = folder;
    this.#log = log;
  }

  /**
   * The programs that a driver has compiled. Removes those of other drivers. Where the folder cannot be used, none are known,
   * and the driver keeps them where it usually does.
   * @param driver its key, see driver-key.ts
   */
  async of(driver: string): Promise<CompiledShaders> {
    const own = join(this.#folder, driver);
    try {
      await makeFolder(own);
      for (const name of await readdir(this.#folder)) {
        if (name !== driver) await rm(join(this.#folder, name), { recursive: true, force: true });
      }
    } catch (error) {
      this.#log.warn(`what the graphics driver compiles is not kept in ${own} (${(error as Error).message})`);
      return nothingKept;
    }
    const models = join(own, 'models');
    const fileOf = (model: string) => join(models, createHash('sha256').update(model).digest('hex'));
    return {
      variables: process.platform === 'linux' ? variablesFor(own) : {},
      has: (model) => pathExists(fileOf(model)),
      add: async (model) => {
        try {
          const known = await readdir(models).catch((): string[] => []);
          if (known.length >= MAX_MODELS) await rm(models, { recursive: true });
          await makeFolder(models);
          await writeFile(fileOf(model), '');
        } catch (error) {
          this.#log.warn(`that a model is prepared for the graphics card is not kept (${(error as Error).message})`);
        }
      },
    };
  }
}

function variablesFor(folder: string): CompiledShaders['variables'] {
  return {
    // Mesa: docs.mesa3d.org/envvars.html
    ...{ MESA_SHADER_CACHE_DIR: folder, MESA_SHADER_CACHE_MAX_SIZE: `${MAX_BYTES / 1024 ** 2}M` },
    // NVIDIA: README of its driver for Linux, "Specifying OpenGL Environment Variable Settings"; Vulkan follows it
    ...{
      __GL_SHADER_DISK_CACHE: '1',
      __GL_SHADER_DISK_CACHE_PATH: folder,
      __GL_SHADER_DISK_CACHE_SIZE: String(MAX_BYTES),
    },
    // AMD's own driver beside Mesa's
    AMD_SHADER_DISK_CACHE_PATH: folder,
  };
}
