import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Not for Windows. */
const program = `#!/bin/sh
case "$1" in
  --version) echo 'version: 0.0.0' ;;
  --help) printf '%s\\n' '--model FNAME' '--host HOST  an address, or the path of a Unix socket' ;;
  *) echo 'loads for ever'; exec sleep 1000 ;;
esac
`;

/** Writes a program that says that it is a llama-server and never becomes ready: its endpoints stay in their start. */
export async function writeStuckLlamaServer(folder: string): Promise<string> {
  const file = join(folder, 'llama-server');
  await writeFile(file, program, { mode: 0o700 });
  return file;
}
