/** A place in a program, as a traceback gives it. */
export interface Frame {
  readonly file: string;
  readonly line: number;
  readonly code: string | null;
  /** Its lines of the output. */
  readonly shown: readonly string[];
}

/** How an exception goes with the one written before it; `member`: it is one of that group. */
type Link = 'first' | 'cause' | 'context' | 'member';

/** An exception and the way to it, outermost frame first. */
export interface Failure {
  readonly link: Link;
  readonly frames: readonly Frame[];
  /** Its type and message, which may go over several lines; empty when the output ends before. */
  readonly words: readonly string[];
}

/** Exceptions that were written together, because one led to the other. The last one is what was raised. */
export interface Traceback {
  /** Who wrote it: Python at the end of the program (or the program itself), at the end of a thread, or a logger. */
  readonly by: 'program' | 'thread' | 'logger';
  readonly failures: readonly Failure[];
  /** The index of its first line, and of the line after the type of its last exception. */
  readonly start: number;
  readonly end: number;
}

const HEADER = 'Traceback (most recent call last):';
const FRAME = /^[>\s]\s*File "([^"]*)", line (\d{1,9})(?:,? in .*)?$/;
const ONLY_MARKS = /^[\s~^]*$/;
const EXCEPTION = /^[A-Za-z_][\w.<>]*(?::|$)/;
const CAUSE = 'The above exception was the direct cause of the following exception:';
const CONTEXT = 'During handling of the above exception, another exception occurred:';
const GROUP_HEADER = /^\s*\+ Exception Group Traceback /;
const GROUP_MARGIN = /^\s+[|+] ?/;
const GROUP_RULE = /^\s*\+(?:-\+)?-{4,}(?<member> \S+ -+)?$/;
const THREAD = /^(?:Exception (?:ignored )?in|Task exception was never retrieved|future: |handle: )/;
const DUMP_HEADER = /^Current thread .*\(most recent call first\):$/;
const MAX_WORDS = 7;

/** The beginning of a logger's line: a time or a level. */
const RECORD = /^[[\s]*(?:\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|DEBUG|INFO|WARN(?:ING)?|ERROR|CRITICAL|FATAL)\b/;

export const isLogRecord = (line: string): boolean => RECORD.test(line);

/** A logger's line that tells of no failure. */
export const isCalmRecord = (line: string): boolean => isLogRecord(line) && !/\b(?:ERROR|CRITICAL|FATAL)\b/.test(line);

type Building<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? Building<E>[] : T[K] };

/** All tracebacks in what one stream carried, in order; also one whose beginning is cut off. Never throws. */
export function tracebacksIn(lines: readonly string[]): Traceback[] {
  const found: Building<Traceback>[] = [];
  let failure: Building<Failure> | null = null;
  let link: Link = 'first';
  let inGroup = false;

  const begin = (at: number): Building<Failure> => {
    failure = { link, frames: [], words: [] };
    const last = found.at(-1);
    if (link === 'first' || !last)
      found.push({ by: writer(lines, at), failures: [failure], start: at, end: lines.length });
    else last.failures.push(failure);
    link = 'first';
    return failure;
  };
  const stop = (next: Link): void => {
    failure = null;
    link = next;
  };

  for (const [index, line] of lines.entries()) {
    inGroup = GROUP_HEADER.test(line) || (inGroup && GROUP_MARGIN.test(line));
    const rule = inGroup ? GROUP_RULE.exec(line) : null;
    if (rule) {
      stop('first');
      if (rule.groups?.['member']) {
        link = 'member';
        begin(index);
      }
      continue;
    }
    const text = inGroup ? line.replace(GROUP_MARGIN, '') : line;
    const open = failure as Building<Failure> | null; // the compiler does not see that `begin` writes it
    const frame = FRAME.exec(text);
    if (text.endsWith(HEADER)) {
      if (open?.link !== 'member' || open.frames.length + open.words.length > 0) begin(index);
    } else if (text === CAUSE) stop('cause');
    else if (text === CONTEXT) stop('context');
    else if (frame) {
      const into = open && open.words.length === 0 ? open : begin(index);
      into.frames.push({ file: frame[1] ?? '', line: Number(frame[2]), code: null, shown: [text] });
    } else if (open && open.words.length === 0) {
      const at = open.frames.at(-1);
      if (/^\s|^$/.test(text)) {
        if (at?.code === null && !ONLY_MARKS.test(text)) {
          at.code = text.trim();
          at.shown.push(text);
        }
      } else if (EXCEPTION.test(text) && !isLogRecord(text)) {
        open.words.push(text);
        (found.at(-1) as Building<Traceback>).end = index + 1;
      }
    } else if (open && isLogRecord(text)) stop('first');
    else if (open && open.words.length < MAX_WORDS && text.trim() !== '') open.words.push(text);
  }
  return found;
}

/** Where the thread was that a signal ended, outermost frame first; what Python's fault handler writes. */
export function faultFrames(lines: readonly string[]): Frame[] {
  const header = lines.findLastIndex((line) => DUMP_HEADER.test(line));
  const frames: Frame[] = [];
  for (const text of header < 0 ? [] : lines.slice(header + 1)) {
    const frame = FRAME.exec(text);
    if (!frame) break;
    frames.unshift({ file: frame[1] ?? '', line: Number(frame[2]), code: null, shown: [text] });
  }
  return frames;
}

/** Who wrote the traceback that begins at that line. */
function writer(lines: readonly string[], at: number): Traceback['by'] {
  const before = [lines[at - 2], lines[at - 1]].filter((line) => line !== undefined);
  if (before.some((line) => THREAD.test(line))) return 'thread';
  return isLogRecord(lines[at] ?? '') || isLogRecord(before.at(-1) ?? '') ? 'logger' : 'program';
}
