import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { createServer } from 'node:net';
import { json } from 'node:stream/consumers';

/** The stand-in's Node: `process.execPath` becomes the app's executable. */
const node = process.execPath;
const CONNECT_MS = 5_000;

/** A start that found another instance: its arguments, the program first, and its working folder. */
export interface SecondInstance {
  readonly argv: readonly string[];
  readonly folder: string;
}

/**
 * Takes the lock on a folder, or notifies the instance that has it. The lock is a socket in Linux's abstract namespace: it has
 * no file, and ends with its process.
 * @param userData must exist
 * @returns whether this process has the lock
 */
export function takeSingleInstanceLock(
  userData: string,
  own: SecondInstance,
  onSecondInstance: (other: SecondInstance) => void,
): boolean {
  const address = `\0electron-stand-in-${createHash('sha256').update(realpathSync(userData)).digest('hex')}`;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    void json(socket)
      .then((other) => onSecondInstance(other as SecondInstance))
      .catch(() => {}); // it was killed
  });
  server.on('error', () => {}); // the address is in use
  server.listen(address).unref(); // Node binds a local socket within this call
  if (server.listening) return true;
  // In a separate process, since Electron notifies it within this call.
  const connect = `const [, to, text] = process.argv;
    require('node:net').connect(to.replace('@', '\\0')).on('error', () => {}).resume().end(text);`;
  const words = ['-e', connect, '--', address.replace('\0', '@'), JSON.stringify(own)];
  spawnSync(node, words, { timeout: CONNECT_MS, stdio: 'ignore' });
  return false;
}
