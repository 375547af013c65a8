import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { execa } from 'execa';
import { sharedFolder } from '../shared-folder.ts';

const projectDir = join(import.meta.dirname, '../../..');
const ARCHIVE = '../shared/tools/llama-server/llama-server.tar.xz';

/** Why tests of the real llama-server are skipped where there is none. */
export const NO_LLAMA_SERVER = `llama-server: none in ROBOT_TEST_LLAMA_SERVER, ${ARCHIVE} or PATH`;

/**
 * The llama-server for tests: the program or the archive that ROBOT_TEST_LLAMA_SERVER names, then the archive beside the
 * project, then the one on PATH. An archive is unpacked once, into the system's temporary folder. Says so loudly when
 * there is none.
 * @returns the path of the program, or null
 */
export async function llamaServerForTests(): Promise<string | null> {
  const named = process.env['ROBOT_TEST_LLAMA_SERVER'];
  const source = [named, join(projectDir, ARCHIVE)].find((file) => file && existsSync(file));
  if (source?.endsWith('.tar.xz')) return unpacked(source);
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'llama-server'));
  const program = source ?? onPath.find((file) => existsSync(file)) ?? null;
  if (program === null) console.warn(`SKIPPED: ${NO_LLAMA_SERVER}`);
  return program;
}

async function unpacked(archive: string): Promise<string> {
  const { size, mtimeMs } = statSync(archive);
  const folder = sharedFolder(`llama-server-${size}-${Math.round(mtimeMs)}`);
  const program = join(folder, 'llama-server');
  if (existsSync(program)) return program;
  // Tests run in several processes: each unpacks into a folder of its own, and one of them becomes the shared one.
  mkdirSync(dirname(folder), { recursive: true });
  const own = mkdtempSync(`${folder}-`);
  await execa('tar', ['-C', own, '-xf', archive]);
  try {
    // A folder without the program is what a cleaner of temporary files has left.
    if (!existsSync(program)) rmSync(folder, { recursive: true, force: true });
    renameSync(own, folder);
  } catch {
    if (!existsSync(program)) return join(own, 'llama-server');
    rmSync(own, { recursive: true });
  }
  return program;
}
