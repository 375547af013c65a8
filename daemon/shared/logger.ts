export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

/** The log for the person who runs the daemon. Messages never hold a secret. */
export interface Logger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  /** A bug or a loss of data; `cause` is written with its stack. */
  error(message: string, cause?: unknown): void;
}

/** One line an entry, `12:00:01.234 info message`, on standard error so that standard output stays for programs. */
export function createLogger(level: LogLevel, write: (line: string) => void = writeToStderr): Logger {
  const lowest = logLevels.indexOf(level);
  const log = (at: LogLevel, message: string): void => {
    if (logLevels.indexOf(at) < lowest) return;
    write(`${new Date().toISOString().slice(11, 23)} ${at.padEnd(5)} ${message}\n`);
  };
  return {
    debug: (message) => log('debug', message),
    info: (message) => log('info', message),
    warn: (message) => log('warn', message),
    error: (message, cause) => log('error', cause === undefined ? message : `${message}: ${describe(cause)}`),
  };
}

function describe(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}

function writeToStderr(line: string): void {
  process.stderr.write(line);
}
