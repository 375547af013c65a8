import type { OutputLine } from '../../../contract/apps/runs.ts';
import { Tracebacks } from '../../../shared/tracebacks.ts';

type Line = Pick<OutputLine, 'stream' | 'text'>;

/** @returns whether a line tells of an error: those on stderr, and tracebacks printed on stdout. It gets every line, in order. */
export function errorLines(): (line: Line) => boolean {
  const tracebacks = new Tracebacks();
  return ({ stream, text }) => stream === 'stderr' || tracebacks.includes(text);
}
