import { readdirSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import type { CrashFacts } from '../crash-diagnosis.ts';
import { endings, exceptions, imports, misleading, type Recording, resources, services } from './expected.ts';
import { variables } from './expected-variables.ts';

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

/** All recordings. */
export const recordings: readonly Recording[] = [
  ...imports,
  ...resources,
  ...services,
  ...variables,
  ...endings,
  ...exceptions,
  ...misleading,
];
