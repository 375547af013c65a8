import { systemNow } from './clock.ts';
import { visibleText } from './display-text.ts';
import { DomainError, isSystemError } from './domain-error.ts';

/**
 * An error and where it happened, for a log or a terminal; only the message of an expected failure and of an error of the
 * system, which names the call and the path. The message takes one line, whatever it contains; the lines
 * of the stack are indented, so that none of them looks like an entry of the log.
 */
export function errorText(error: unknown): string {
  if (error instanceof DomainError || isSystemError(error)) return visibleText(error.message);
  if (!(error instanceof Error)) return visibleText(String(error));
  const message = `${error.message}`; // both may have been set to something else
  const stack = typeof error.stack === 'string' ? error.stack : `${error.name}: ${message}`;
  const endOfMessage = stack.indexOf(message) + message.length;
  const firstFrame = stack.indexOf('\n', Math.max(0, endOfMessage));
  if (firstFrame === -1) return visibleText(stack);
  const frames = stack.slice(firstFrame + 1).split('\n');
  return [visibleText(stack.slice(0, firstFrame)), ...frames.map((line) => `    ${visibleText(line.trim())}`)].join(
    '\n',
  );
}

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

/** The log for the person who runs the daemon. Messages never hold a secret. */
export interface Logger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  /** A bug or a loss of data; `cause` is written with its stack unless it is an expected failure or the system's error. */
  error(message: string, cause?: unknown): void;
}

export const toStderr = (line: string): void => void process.stderr.write(line);

/**
 * One line an entry, `12:00:01.234 info message`, on standard error so that standard output stays for programs. A stack
 * is indented. Messages may hold text of strangers: it is escaped here, so that it forges no entry and reaches no terminal.
 */
export function createLogger(level: LogLevel, write: (line: string) => void = toStderr): Logger {
  const lowest = logLevels.indexOf(level);
  const log = (at: LogLevel, message: string, cause = ''): void => {
    if (logLevels.indexOf(at) < lowest) return;
    write(`${systemNow().toISOString().slice(11, 23)} ${at.padEnd(5)} ${visibleText(message)}${cause}\n`);
  };
  return {
    debug: (message) => log('debug', message),
    info: (message) => log('info', message),
    warn: (message) => log('warn', message),
    error: (message, cause) => log('error', message, cause === undefined ? '' : `: ${errorText(cause)}`),
  };
}
