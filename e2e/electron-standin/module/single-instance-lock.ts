import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { createServer } from 'node:net';

/** The stand-in's Node: `process.execPath` becomes the app's executable. */
const node = process.execPath;
const CONNECT_MS = 5_000;

/**
 * Takes the lock on a folder, or notifies the instance that has it. The lock is a socket in Linux's abstract namespace: it has
 * no file, and ends with its process.
 * @param userData must exist
 * @returns whether this process has the lock
 */
export function takeSingleInstanceLock(userData: string, onSecondInstance: () => void): boolean {
  const address = `\0electron-stand-in-${createHash('sha256').update(realpathSync(userData)).digest('hex')}`;
  const server = createServer((socket) => {
    socket.on('error', () => {}).destroy();
    onSecondInstance();
  });
  server.on('error', () => {}); // the address is in use
  server.listen(address).unref(); // Node binds a local socket within this call
  if (server.listening) return true;
  // In a separate process, since Electron notifies it within this call.
  const connect = `require('node:net').connect(process.argv[1].replace('@', '\\0')).on('error', () => {}).resume()`;
  spawnSync(node, ['-e', connect, address.replace('\0', '@')], { timeout: CONNECT_MS, stdio: 'ignore' });
  return false;
}
