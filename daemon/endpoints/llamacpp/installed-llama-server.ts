import { join } from 'node:path';
import * as z from 'zod';
import { readJsonFile, writeJsonFile } from '../../shared/files/json-file.ts';

/** The llama-server that the daemon downloaded. */
export const InstalledLlamaServer = z.object({
  version: z.string(),
  /** The program's path below the folder of runtimes. */
  program: z.string().refine((path) => !path.startsWith('/') && !path.split(/[\\/]/).includes('..')),
  /** The checksum of the archive that it came from. */
  sha256: z.string(),
});
export type InstalledLlamaServer = z.infer<typeof InstalledLlamaServer>;

/** The file of the record. */
export const installedFile = (runtimesDir: string) => join(runtimesDir, 'llama-server.json');

/** @returns null when none was downloaded; a damaged record counts as none */
export async function readInstalled(runtimesDir: string): Promise<InstalledLlamaServer | null> {
  return readJsonFile(installedFile(runtimesDir), InstalledLlamaServer).catch(() => null);
}

/** Makes a downloaded program the one in use. */
export async function writeInstalled(runtimesDir: string, installed: InstalledLlamaServer): Promise<void> {
  await writeJsonFile(installedFile(runtimesDir), installed);
}
