import type { Clock } from '../../shared/clock.ts';
import { DomainError } from '../../shared/domain-error.ts';
import { LineSplitter } from '../../shared/processes/line-splitter.ts';
import { startLeader } from '../../shared/processes/start-leader.ts';

const OPENING_MS = 15_000;
/** Limit of bytes that wait for the program that copies them; more are lost, as on a line without a listener. */
const MAX_UNSENT_BYTES = 64 * 1024;

export class PseudoTerminalFailed extends DomainError {}

export interface PseudoTerminalOptions {
  /** Python's executable, 3.10 or newer. */
  readonly python: string;
  readonly program: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** Called with bytes that were written to the terminal. */
  readonly onData: (bytes: Uint8Array) => void;
}

/**
 * The other end of a pseudo-terminal that is opened like a serial port. Node cannot open one, so a Python program does
 * and copies the bytes. It ends with this process, because its standard input closes.
 */
export class PseudoTerminal {
  /** Settles when the terminal can be opened. @throws PseudoTerminalFailed */
  readonly ready: Promise<void>;
  /** Resolves when the process has ended, and the terminal is gone. */
  readonly closed: Promise<void>;
  readonly #child: ReturnType<typeof startPython>;
  #path: string | null = null;

  constructor({ python, program, environment, clock, onData }: PseudoTerminalOptions) {
    this.#child = startPython(python, program, environment);
    const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
    const { promise: closed, resolve: close } = Promise.withResolvers<void>();
    this.ready = ready;
    this.closed = closed;
    ready.catch(() => {}); // the caller need not await it
    const fail = (why: string) =>
      reject(new PseudoTerminalFailed(`The pseudo-terminal of the emulator could not be opened: ${why}.`));

    let lastLine = '';
    const lines = new LineSplitter((line) => {
      this.#path ??= pathIn(line);
      if (this.#path) resolve();
      lastLine = line;
    });
    const cancelLimit = clock.after(OPENING_MS, () => {
      fail(`Python took more than ${OPENING_MS / 1000} s`);
      void this.close();
    });
    void ready.then(cancelLimit, cancelLimit);

    this.#child.stdout.on('data', onData);
    this.#child.stderr.on('data', (chunk: Buffer) => lines.write(chunk));
    this.#child.stdin.on('error', () => {}); // it has ended, as `closed` says
    void this.#child.then(({ originalMessage }) => {
      lines.end();
      this.#path = null;
      const notStarted = this.#child.pid === undefined ? originalMessage : null;
      fail(notStarted ?? (lastLine || 'Python ended'));
      close();
    });
  }

  /** The path at which it is opened; null before it is ready and after it has ended. */
  get path(): string | null {
    return this.#child.nodeChildProcess.killed ? null : this.#path;
  }

  write(bytes: Uint8Array): void {
    const { stdin } = this.#child;
    if (stdin.writable && stdin.writableLength + bytes.length <= MAX_UNSENT_BYTES) stdin.write(bytes);
  }

  /** Closes it, also for a program that has it open. */
  close(): Promise<void> {
    this.#child.kill('SIGKILL'); // it needs no clean-up
    return this.closed;
  }
}

/** Started in its own session, so that Ctrl-C does not end it before the daemon has put the robot to sleep. */
function startPython(python: string, program: string, env: Readonly<Record<string, string>>) {
  return startLeader(python, ['-I', '-B', program], { env, stdin: 'pipe' });
}

function pathIn(line: string): string | null {
  try {
    const { path } = JSON.parse(line) as { path?: unknown };
    return typeof path === 'string' ? path : null;
  } catch {
    return null; // other output of Python
  }
}
