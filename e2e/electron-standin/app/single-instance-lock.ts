/**
 * One instance per userData folder. The lock is a socket in Linux's abstract namespace: it has no file, and the kernel
 * drops it when its process ends, however it ends, so nothing of it can become stale.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { launch } from '../launch.ts';

/** What a second instance tells the first. */
export interface SecondInstance {
  readonly argv: readonly string[];
  readonly workingDirectory: string;
  readonly additionalData: unknown;
}

const DELIVERY_MS = 5_000;

export class SingleInstanceLock {
  readonly #onSecondInstance: (second: SecondInstance) => void;
  #server: Server | null = null;

  constructor(onSecondInstance: (second: SecondInstance) => void) {
    this.#onSecondInstance = onSecondInstance;
  }

  get isHeld(): boolean {
    return this.#server !== null;
  }

  /** @returns whether this process has it now; if not, the one that has it was told */
  request(userData: string, additionalData: unknown): boolean {
    if (this.#server) return true;
    const name = lockName(userData);
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      let message = '';
      socket.setEncoding('utf8').on('data', (text: string) => {
        message += text;
      });
      socket.on('end', () => {
        socket.end('heard');
        this.#onSecondInstance(JSON.parse(message) as SecondInstance);
      });
      socket.on('error', () => {});
    });
    server.on('error', () => {}); // of a name that is taken
    // Node binds a local socket within this call, so the answer is there at once, as Electron's.
    server.listen(`\0${name}`);
    if (server.listening) {
      this.#server = server.unref();
      return true;
    }
    tellFirstInstance(name, { argv: process.argv, workingDirectory: process.cwd(), additionalData });
    return false;
  }

  release(): void {
    this.#server?.close();
    this.#server = null;
  }
}

function lockName(userData: string): string {
  const folder = realpathOrSame(userData);
  return `electron-stand-in-${createHash('sha256').update(folder).digest('hex').slice(0, 32)}`;
}

/** Waits until it has heard: this process is likely to end right after. */
function tellFirstInstance(name: string, second: SecondInstance): void {
  const script = `const socket = require('node:net').connect('\\0' + process.argv[1]);
    socket.on('error', () => process.exit(1)).on('data', () => process.exit(0)); process.stdin.pipe(socket);`;
  const input = JSON.stringify(second);
  spawnSync(launch.node, ['-e', script, name], { input, timeout: DELIVERY_MS, stdio: ['pipe', 'ignore', 'ignore'] });
}

function realpathOrSame(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // the folder does not exist yet
  }
}
