import { join } from 'node:path';
import * as z from 'zod';
import { readJsonFile, writeJsonFile } from '../../shared/files/json-file.ts';
import { isProgram, programOnPath } from '../../shared/files/program-on-path.ts';
import { type CommandFailed, runCommand } from '../../shared/processes/run-command.ts';
import { type LlamaServerCapabilities, readCapabilities } from './llama-server-capabilities.ts';
import { replicaEnvironment } from './replica-environment.ts';

/** Loading the libraries of a graphics card takes seconds on a busy machine. */
const ANSWER_MS = 20_000;
const MAX_LINES = 5_000;

const NAME = 'llama-server';

interface LlamaServerPlaces {
  /** The user's setting; null: none. It wins, and no other is used when it does not work. */
  readonly setting: string | null;
  /** The search path for programs. */
  readonly path: string;
  /** The downloaded program; null: none. */
  readonly downloaded: string | null;
}

/** The path of the installed llama-server: by the setting, on the search path, or downloaded. Null: there is none. */
export async function findLlamaServer({ setting, path, downloaded }: LlamaServerPlaces): Promise<string | null> {
  if (setting !== null) return setting;
  const installed = await programOnPath(NAME, path, process.platform);
  if (installed !== null) return installed;
  return downloaded !== null && (await isProgram(downloaded)) ? downloaded : null;
}

/**
 * Runs `--version` and `--help`, and `--list-devices` if there is one, and reads what the program can do.
 * @returns the reason, a sentence, when it is not a llama-server that runs here
 */
export async function askLlamaServer(
  program: string,
  childEnvironment: Readonly<Record<string, string>>,
): Promise<LlamaServerCapabilities | { readonly problem: string }> {
  const { env } = replicaEnvironment(childEnvironment, {});
  const ask = async (option: string): Promise<string[]> => {
    const lines: string[] = [];
    const onLine = (line: string) => void (lines.length < MAX_LINES && lines.push(line));
    await runCommand(program, [option], { env, deadlineMs: ANSWER_MS, onLine });
    return lines;
  };
  try {
    const [version, help] = [await ask('--version'), await ask('--help')];
    const hasList = help.some((line) => line.startsWith('--list-devices'));
    const devices = hasList ? await ask('--list-devices').catch(() => []) : [];
    return readCapabilities(version, help, devices) ?? { problem: `${program} is not llama.cpp's server.` };
  } catch (error) {
    const { message, lines } = error as CommandFailed;
    const last = lines.at(-1)?.trim();
    return { problem: `${program} does not run: ${message}${last ? ` (${last})` : ''}.` };
  }
}

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
