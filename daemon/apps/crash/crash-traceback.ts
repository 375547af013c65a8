/** One stack frame of a traceback. */
export interface Frame {
  readonly file: string;
  readonly line: number;
  readonly code: string | null;
  /** The lines of the output that show it. */
  readonly shown: readonly string[];
}

/** Relation of an exception to the one printed before it; `member`: it belongs to that exception group. */
type Link = 'first' | 'cause' | 'context' | 'member';

/** An exception and its call stack, outermost frame first. */
export interface Failure {
  readonly link: Link;
  readonly frames: readonly Frame[];
  /** The lines of its type and message; empty when the output ends before them. */
  readonly message: readonly string[];
}

/** Exceptions printed together because one led to the other. The last one was raised. */
export interface Traceback {
  /**
   * The writer: Python at the end of the program (or the program itself), Python at the end of a thread, or a logger.
   */
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
const MAX_MESSAGE_LINES = 7;

/** A log record begins with a time or a level. */
const RECORD = /^[[\s]*(?:\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|DEBUG|INFO|WARN(?:ING)?|ERROR|CRITICAL|FATAL)\b/;

const isLogRecord = (line: string): boolean => RECORD.test(line);

/** A log record below the level of an error. */
export const isNonErrorRecord = (line: string): boolean =>
  isLogRecord(line) && !/\b(?:ERROR|CRITICAL|FATAL)\b/.test(line);

type Building<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? Building<E>[] : T[K] };

/** The tracebacks in the lines of one stream, in order, including one whose beginning is cut off. Never throws. */
export function tracebacksIn(lines: readonly string[]): Traceback[] {
  const found: Building<Traceback>[] = [];
  let failure: Building<Failure> | null = null;
  let link: Link = 'first';
  let inGroup = false;

  const begin = (at: number): Building<Failure> => {
    failure = { link, frames: [], message: [] };
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
      if (open?.link !== 'member' || open.frames.length + open.message.length > 0) begin(index);
    } else if (text === CAUSE) stop('cause');
    else if (text === CONTEXT) stop('context');
    else if (frame) {
      const into = open && open.message.length === 0 ? open : begin(index);
      into.frames.push({ file: frame[1] ?? '', line: Number(frame[2]), code: null, shown: [text] });
    } else if (open && open.message.length === 0) {
      const at = open.frames.at(-1);
      if (/^\s|^$/.test(text)) {
        if (at?.code === null && !ONLY_MARKS.test(text)) {
          at.code = text.trim();
          at.shown.push(text);
        }
      } else if (EXCEPTION.test(text) && !isLogRecord(text)) {
        open.message.push(text);
        (found.at(-1) as Building<Traceback>).end = index + 1;
      }
    } else if (open && isLogRecord(text)) stop('first');
    else if (open && open.message.length < MAX_MESSAGE_LINES && text.trim() !== '') open.message.push(text);
  }
  return found;
}

/** The call stack that Python's fault handler prints for a fatal signal, outermost frame first. */
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

/** The writer of the traceback that begins at line `at`. */
function writer(lines: readonly string[], at: number): Traceback['by'] {
  const before = [lines[at - 2], lines[at - 1]].filter((line) => line !== undefined);
  if (before.some((line) => THREAD.test(line))) return 'thread';
  return isLogRecord(lines[at] ?? '') || isLogRecord(before.at(-1) ?? '') ? 'logger' : 'program';
}

/** The innermost frame in the app's own package, if any. */
export function ownFrame(frames: readonly Frame[], appPackage: string): Frame | undefined {
  return frames.findLast(({ file }) => ownFile(file, appPackage) !== null);
}

/** The path inside the package, `hello_wave/main.py`; null for a file of another package. */
export function ownFile(file: string, appPackage: string): string | null {
  const path = file.replaceAll('\\', '/');
  const installed = /^.*\/(?:site|dist)-packages\//.exec(path);
  if (installed) {
    const inside = path.slice(installed[0].length);
    return inside.startsWith(`${appPackage}/`) || inside === `${appPackage}.py` ? inside : null;
  }
  if (/\/(?:lib\/python\d[\d.]*|Lib)\//.test(path)) return null; // Python's own
  // The last match: a project's folder often has the name of the package inside it.
  const at = `/${path}`.lastIndexOf(`/${appPackage}/`);
  return appPackage === '' || at < 0 ? null : path.slice(at);
}

/** `hello_wave/main.py, line 12`; for a file outside the app's package, only its folder and name. */
export function codeLocation(frame: Frame, appPackage: string): string {
  const file = ownFile(frame.file, appPackage) ?? frame.file.split(/[\\/]/).slice(-2).join('/');
  return `${file}, line ${frame.line}`;
}
