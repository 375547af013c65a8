import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { knowsOnly } from './events.ts';
import { launch } from './launch.ts';
import { runningChromium } from './running-chromium.ts';

interface ForkOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly stdio: 'pipe';
  readonly serviceName: string;
}

/** Electron ends such a process with the app, whatever the program in it does. */
const endsWithApp = `data:text/javascript,${encodeURIComponent(
  "process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));",
)}`;

/** A Node program beside the app's main process, without messages between the two. */
class UtilityProcess extends EventEmitter {
  readonly stdout: Readable;
  readonly stderr: Readable;
  pid: number | undefined;

  constructor(program: string, args: readonly string[], { env }: ForkOptions) {
    super();
    knowsOnly(this, ['spawn', 'exit']);
    const child = spawn(launch.node, ['--import', endsWithApp, program, ...args], {
      env: { ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.stdout = child.stdout as Readable;
    this.stderr = child.stderr as Readable;
    child.once('spawn', () => {
      this.pid = child.pid;
      this.emit('spawn');
    });
    child.once('error', () => this.emit('exit', 1)); // it could not start
    child.once('exit', (code, signal) => {
      this.pid = undefined;
      this.emit('exit', code ?? (signal === null ? 1 : constants.signals[signal]));
    });
  }
}

export const utilityProcess = {
  fork(program: string, args: readonly string[], options: ForkOptions): UtilityProcess {
    runningChromium(); // Electron refuses it too before the app is ready
    return new UtilityProcess(program, args, options);
  },
};
