import { DomainError } from '../../shared/domain-error.ts';
import { LineSplitter } from '../../shared/processes/line-splitter.ts';
import { startLeader } from '../../shared/processes/start-leader.ts';

/** How long Python may take until the pseudo-terminal is open. */
const OPENING_MS = 15_000;
/** What waits for the program that copies the bytes; more is lost, as on a line on which nobody listens. */
const MOST_WAITING_BYTES = 64 * 1024;

/** There is no pseudo-terminal, and so no emulator. */
export class PseudoTerminalFailed extends DomainError {}

export interface PseudoTerminalOptions {
  /** Python's executable, 3.10 or newer. */
  readonly python: string;
  /** `assets/emulator/pseudo_terminal.py`. */
  readonly program: string;
  /** The whole environment of it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Bytes that somebody wrote to the terminal. */
  readonly onData: (bytes: Uint8Array) => void;
}

/**
 * The other end of a serial port that is none. Node cannot open a pseudo-terminal, so a program in Python has it and
 * copies the bytes. It ends with this process, however that ends: its standard input closes.
 */
export class PseudoTerminal {
  /** Settles when it can be opened. @throws PseudoTerminalFailed */
  readonly ready: Promise<void>;
  /** Resolves when the process has ended, and the terminal is gone. */
  readonly closed: Promise<void>;
  readonly #child: ReturnType<typeof startPython>;
  #path: string | null = null;

  constructor({ python, program, environment, onData }: PseudoTerminalOptions) {
    this.#child = startPython(python, program, environment);
    const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
    const { promise: closed, resolve: close } = Promise.withResolvers<void>();
    this.ready = ready;
    this.closed = closed;
    ready.catch(() => {}); // whoever waits for it is told; nobody has to
    const fail = (why: string) =>
      reject(new PseudoTerminalFailed(`There is no pseudo-terminal for the emulator: ${why}.`));

    let lastLine = '';
    const lines = new LineSplitter((line) => {
      this.#path ??= pathIn(line);
      if (this.#path) resolve();
      lastLine = line;
    });
    const tooLong = setTimeout(() => {
      fail(`Python took more than ${OPENING_MS / 1000} s`);
      void this.close();
    }, OPENING_MS);
    void ready.then(
      () => clearTimeout(tooLong),
      () => clearTimeout(tooLong),
    );

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

  /** Where others open it; null before it is ready, and once it is gone. */
  get path(): string | null {
    return this.#child.nodeChildProcess.killed ? null : this.#path;
  }

  write(bytes: Uint8Array): void {
    const { stdin } = this.#child;
    if (stdin.writable && stdin.writableLength + bytes.length <= MOST_WAITING_BYTES) stdin.write(bytes);
  }

  /** Takes it away from whoever has it open. */
  close(): Promise<void> {
    this.#child.kill('SIGKILL'); // it has nothing to put in order
    return this.closed;
  }
}

/** In a session of its own: Ctrl-C is for us, who still need the servos to put the robot to sleep. */
function startPython(python: string, program: string, env: Readonly<Record<string, string>>) {
  return startLeader(python, ['-I', '-B', program], { env, stdin: 'pipe' });
}

function pathIn(line: string): string | null {
  try {
    const { path } = JSON.parse(line) as { path?: unknown };
    return typeof path === 'string' ? path : null;
  } catch {
    return null; // Python has something else to say
  }
}
