import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { sharedFolder } from '../shared-folder.ts';

const DRIVERS = ['/usr/share/vulkan/icd.d', '/etc/vulkan/icd.d'];
const loaders = ['/usr/lib/x86_64-linux-gnu/libvulkan.so.1', '/usr/lib64/libvulkan.so.1', '/usr/lib/libvulkan.so.1'];
const BUILD = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  'node_modules',
  '@node-llama-cpp',
  'linux-x64-vulkan',
  'bins',
);

/** The file that registers Mesa's driver, which computes on the processor; undefined: it is not installed. */
const driver = DRIVERS.filter(existsSync)
  .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  .find((file) => /lvp_icd\..*json$/.test(file));

/** The system's Vulkan loader; undefined: there is none. */
export const vulkanLoader: string | undefined = loaders.find(existsSync);

/**
 * Why Mesa's software driver cannot be a graphics card here; null: it can. It is a real Vulkan driver. llama.cpp leaves it
 * alone unless it is named, as the variables do.
 */
export const noSoftwareCard: string | null =
  process.platform !== 'linux' || process.arch !== 'x64'
    ? 'the package for graphics cards is for Linux on x64'
    : driver === undefined || vulkanLoader === undefined
      ? 'Mesa’s software driver is missing: sudo apt install mesa-vulkan-drivers libvulkan1'
      : existsSync(BUILD)
        ? null
        : 'the package @node-llama-cpp/linux-x64-vulkan is not installed';

/** The variables that make the software driver the only card. */
export const softwareCard: Readonly<Record<string, string>> = {
  GGML_VK_VISIBLE_DEVICES: '0',
  // The newer name, and the older one.
  ...{ VK_DRIVER_FILES: driver ?? '', VK_ICD_FILENAMES: driver ?? '' },
};

/** Lets a data folder share what the driver compiles with those of other tests, and of later runs: it takes a minute. */
export function shareShaderCache(dataDir: string): void {
  const shared = sharedFolder('shader-cache');
  mkdirSync(shared, { recursive: true });
  symlinkSync(shared, join(dataDir, 'shader-cache'));
}
