import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { homedir, uptime } from 'node:os';
import { join } from 'node:path';
import type { Now } from '../shared/clock.ts';

/** Variables that choose drivers and cards. */
const CHOOSES = /^(GGML_VK_|VK_|CUDA_VISIBLE_DEVICES$|MESA_VK_|NODEVICE_SELECT$|DRI_PRIME$)/;
/** Where drivers are registered; see the documentation of the Vulkan loader, "Driver Discovery". */
const registered = ({ root, home }: Places) =>
  [
    ...['etc', 'usr/share', 'usr/local/share', 'usr/local/etc'].map((folder) => join(root, folder)),
    ...[join(home, '.config'), join(home, '.local', 'share')],
  ].map((folder) => join(folder, 'vulkan', 'icd.d'));
const loaders = [
  '/usr/lib/x86_64-linux-gnu/libvulkan.so.1',
  '/usr/lib64/libvulkan.so.1',
  '/usr/lib/libvulkan.so.1',
  'C:\\Windows\\System32\\vulkan-1.dll',
];

interface Places {
  /** The root of the file system. */
  readonly root: string;
  /** The user's home folder. */
  readonly home: string;
}

/**
 * Names the graphics drivers and the library that uses them: another text once one of them was installed, updated or
 * removed. Reads some small files, and loads no driver.
 * @param library the version of the library
 * @param environment of the programs that use the card
 * @param places those of this system, by default
 */
export async function driverKey(
  library: string,
  environment: Readonly<Record<string, string>>,
  places: Places = { root: '/', home: homedir() },
): Promise<string> {
  const hash = createHash('sha256').update(`${library}\n`);
  for (const name of Object.keys(environment).sort()) {
    if (CHOOSES.test(name)) hash.update(`${name}=${environment[name]}\n`);
  }
  for (const file of [...(await driverFiles(places)), ...loaders]) hash.update(`${file} ${await stateOf(file)}\n`);
  // The kernel's part of the driver: a program that does not fit to it fails.
  hash.update(await readFile(join(places.root, 'proc/driver/nvidia/version'), 'latin1').catch(() => ''));
  hash.update((await readdir(join(places.root, 'dev/dri')).catch((): string[] => [])).sort().join());
  return hash.digest('base64url').slice(0, 22);
}

/** Names the run of the system: another text after each of its starts. */
export async function bootKey(now: Now): Promise<string> {
  const id = await readFile('/proc/sys/kernel/random/boot_id', 'latin1').catch(() => '');
  // Elsewhere its start is computed, and changes with the clock.
  return id.trim() || String(Math.round((now().getTime() / 1_000 - uptime()) / 600));
}

/** The registered drivers and their libraries. */
async function driverFiles(places: Places): Promise<string[]> {
  const files: string[] = [];
  for (const folder of registered(places)) {
    for (const name of (await readdir(folder).catch((): string[] => [])).sort()) {
      if (!name.endsWith('.json')) continue;
      const file = join(folder, name);
      files.push(file);
      const library = /"library_path"\s*:\s*"(\/[^"]+)"/.exec(await readFile(file, 'utf8').catch(() => ''))?.[1];
      if (library !== undefined) files.push(library);
    }
  }
  return files;
}

/** Size and time of a file; another one once it was replaced. */
async function stateOf(file: string): Promise<string> {
  const found = await stat(file).catch(() => null);
  return found === null ? 'none' : `${found.size} ${found.mtimeMs}`;
}
