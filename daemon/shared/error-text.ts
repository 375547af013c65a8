import { visibleText } from './display-text.ts';
import { DomainError } from './domain-error.ts';
import { isSystemError } from './system-error.ts';

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
