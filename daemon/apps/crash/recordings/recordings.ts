import { readdirSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { CrashCause } from '../../../contract/apps/diagnosis.ts';
import type { CrashFacts } from '../crash-diagnosis.ts';

export const recordedNames = (): string[] =>
  readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.txt'))
    .map((file) => file.slice(0, -'.txt'.length));

/** The output and the end of a recorded program; record.py made the recordings. */
export function recorded(name: string): CrashFacts {
  const [first = '', ...lines] = readFileSync(`${import.meta.dirname}/${name}.txt`, 'utf8')
    .trimEnd()
    .split('\n');
  const [, how, number] = /: (exit|signal) (\d+)$/.exec(first) ?? [];
  const signal = Object.entries(constants.signals).find(([, value]) => value === Number(number))?.[0] ?? null;
  return {
    exitCode: how === 'exit' ? Number(number) : null,
    signal: how === 'signal' ? signal : null,
    lines: lines.map((line) => ({ stream: line.startsWith('1') ? 'stdout' : 'stderr', text: line.slice(2) })),
    appPackage: 'hello_wave',
    sdkVersion: '1.0.0',
    robotLost: false,
  };
}

/** A recording, and what its diagnosis holds: the cause, the line of its own code, and a piece of the message. */
type Recording = readonly [name: string, cause: CrashCause, own: string | null, piece: string];

/** All recordings. */
export const recordings: readonly Recording[] = readFileSync(`${import.meta.dirname}/expected.tsv`, 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [name = '', cause = '', own = '', piece = ''] = line.split('\t');
    return [name, CrashCause.parse(cause), own || null, piece];
  });
