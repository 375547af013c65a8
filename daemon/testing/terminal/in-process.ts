/** Runs the code of a command in the process of a test: what it prints, a person at a terminal, and time that passes at once. */
import { PassThrough, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { onTestFinished, vi } from 'vitest';
import type { TerminalStep } from './in-terminal.ts';

/** The output of a command so far, and its exit code. */
export interface Printed {
  readonly out: string;
  readonly err: string;
  readonly code: number | string;
}

/** Collects what is printed until the end of the test. No terminal is there. */
export function captureOutput(): Printed {
  const pieces = { out: '', err: '' };
  catchOutput((stream, text) => {
    pieces[stream] += text;
  });
  return {
    get out() {
      return pieces.out;
    },
    get err() {
      return pieces.err;
    },
    get code() {
      return process.exitCode ?? 0;
    },
  };
}

function catchOutput(onText: (stream: 'out' | 'err', text: string) => void): void {
  const before = process.exitCode;
  process.exitCode = undefined;
  const spies = (['out', 'err'] as const).map((stream) =>
    vi.spyOn(process[`std${stream}`], 'write').mockImplementation((text) => {
      onText(stream, String(text));
      return true;
    }),
  );
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
    process.exitCode = before;
  });
}

/** Another program in the place of the terminal, which has written a text. @param ends whether that is all */
export function pipeInput(text: string, { ends = true } = {}): void {
  const input = new PassThrough();
  if (ends) input.end(text);
  else input.write(text);
  replaceStream('stdin', input);
}

/** The time after which the person at a terminal gives up a text that does not come. */
const PATIENCE_MS = 5_000;

/**
 * Puts a terminal in the place of the standard streams, with a person who types: see TerminalStep. Where a text does not
 * come within seconds, the person types Ctrl-C.
 * @returns what was on the terminal, what was typed included, and the exit code
 */
export function atTerminal(steps: readonly Omit<TerminalStep, 'signal'>[]) {
  const rest = [...steps];
  let screen = '';
  let seen = 0;
  const keys = Object.assign(new PassThrough(), { isTTY: true });
  const giveUp = () => void keys.write('\u0003');
  let patience = setTimeout(giveUp, PATIENCE_MS);
  const onText = (text: string) => {
    screen += stripVTControlCharacters(text).replaceAll('\r\n', '\n');
    clearTimeout(patience);
    if (rest.length > 0) patience = setTimeout(giveUp, PATIENCE_MS);
    const [step] = rest;
    const match = step && new RegExp(step.wait).exec(screen.slice(seen));
    if (!step || !match) return;
    seen += match.index + match[0].length;
    rest.shift();
    setImmediate(() => keys.write(step.send ?? ''));
  };
  catchOutput((_stream, text) => onText(text));
  const stderr = new Writable({
    write: (piece: Buffer, _encoding, done) => {
      onText(piece.toString());
      done();
    },
  });
  replaceStream('stdin', keys);
  replaceStream('stderr', Object.assign(stderr, { isTTY: true, columns: 200 }));
  onTestFinished(() => clearTimeout(patience));
  return {
    get screen() {
      return screen;
    },
    get code() {
      return process.exitCode ?? 0;
    },
  };
}

function replaceStream(name: 'stdin' | 'stderr', stream: object): void {
  const spy = vi.spyOn(process, name, 'get').mockReturnValue(stream as never);
  onTestFinished(() => spy.mockRestore());
}

/** No command waits longer, of its own clock. */
const LONGEST_MS = 60_000;

/**
 * Does work whose waits take no time.
 * @returns its result, and how long it took by its own clock
 * @throws Error when it waits for more than a minute
 */
export async function withoutWaiting<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly ms: number }> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'], fakeNodeBuiltins: true });
  try {
    const begin = performance.now();
    let isOver = false;
    const watched = work().finally(() => {
      isOver = true;
    });
    watched.catch(() => {});
    for (; !isOver; await nextTurn()) {
      if (performance.now() - begin > LONGEST_MS) throw new Error('The work waits for more than a minute.');
      if (vi.getTimerCount() > 0) await vi.advanceTimersToNextTimerAsync();
    }
    return { result: await watched, ms: performance.now() - begin };
  } finally {
    vi.useRealTimers();
  }
}
