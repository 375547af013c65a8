import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Writes a program that says about itself what a llama-server does, version 9999, and serves nothing: for tests of what is
 * found, chosen and installed.
 * @returns its path
 */
export async function writeStandInLlamaServer(folder: string): Promise<string> {
  const file = join(folder, 'llama-server');
  await writeFile(file, standIn);
  await chmod(file, 0o755);
  return file;
}

const standIn = `#!/bin/sh
case $1 in
--version) echo 'version: 9999 (abc)' ;;
--help) printf '%s\\n' '-m,    --model FNAME   path' '--host HOST   address, or UNIX socket paths' '--mmproj FILE   x' ;;
*) echo 'error: a stand-in serves nothing'; exit 1 ;;
esac
`;
