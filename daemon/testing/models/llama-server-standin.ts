import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Not for Windows. @param serve shell commands, with the arguments of llama-server */
const program = (serve: string) => `#!/bin/sh
case "$1" in
  --version) echo 'version: 0.0.0' ;;
  --help) printf '%s\\n' '--model FNAME' '--host HOST  an address, or the path of a Unix socket' '--mmproj FILE' ;;
  *) ${serve} ;;
esac
`;

const CONTAINER_SERVER = join(import.meta.dirname, '..', 'containers', 'image', 'server.ts');

async function write(folder: string, serve: string): Promise<string> {
  const file = join(folder, 'llama-server');
  await writeFile(file, program(serve), { mode: 0o700 });
  return file;
}

/** Writes a program that says that it is a llama-server and never becomes ready: its endpoints stay in their start. */
export async function writeStuckLlamaServer(folder: string): Promise<string> {
  return write(folder, "echo 'loads for ever'; exec sleep 1000");
}

/** Writes a program that says that it is a llama-server, and that is the server in the containers of the tests. */
export async function writeContainerServer(folder: string): Promise<string> {
  return write(folder, `TEST_ENGINE=llamacpp exec '${process.execPath}' '${CONTAINER_SERVER}' "$@"`);
}

/**
 * Writes a program that says that it is a llama-server, and whose answers are those of a model server of the test: it links
 * the socket that it is to listen on to that one's. Its output are the lines that the test appends to `logOf(folder)`.
 * @param socketPath where the model server listens; it answers 200 to `/health`
 * @returns the path of the program, for the option `llamaServer`
 */
export async function writeLinkedLlamaServer(folder: string, socketPath: string): Promise<string> {
  return write(
    folder,
    `while [ "$1" != --host ]; do shift; done
    ln -s '${socketPath}' "$2"
    : >> '${logOf(folder)}'
    exec tail -n +1 -f '${logOf(folder)}'`,
  );
}

/** Writes a program that says that it is a llama-server, and is a process of its own for each replica: `held-answers.ts`. */
export async function writeHeldLlamaServer(folder: string): Promise<string> {
  const server = join(import.meta.dirname, 'held-answers.ts');
  return write(
    folder,
    `while [ "$1" != --host ]; do shift; done
    exec '${process.execPath}' '${server}' "$2"`,
  );
}

/** The file that has the output of a linked program. */
export const logOf = (folder: string): string => join(folder, 'model-server.log');
