import { expect, test } from 'vitest';
import type { AppRun } from '../../contract/apps/runs.ts';
import { crashesIn } from './crashes.ts';

function runOf(runId: string, appName: string, outcome: AppRun['outcome']): AppRun {
  const at = '2026-01-01T00:00:00.000Z';
  const rest = { exitCode: 0, signal: null, message: '', diagnosis: null, version: '1.0.0', killed: [] };
  return { runId, appName, outcome, startedAt: at, endedAt: at, ...rest };
}

test.each<[string, readonly AppRun[], readonly string[], readonly [string, boolean][]]>([
  ['no run', [], [], []],
  ['a crash that nobody has seen', [runOf('1', 'dance', 'crashed')], ['1'], [['1', false]]],
  ['the last run of its app crashed, and was seen', [runOf('1', 'dance', 'crashed')], [], [['1', true]]],
  ['another app ran since', [runOf('2', 'wave', 'stopped'), runOf('1', 'dance', 'crashed')], ['1'], [['1', false]]],
  [
    'the same app ran since, and nobody had seen the crash',
    [runOf('2', 'dance', 'finished'), runOf('1', 'dance', 'crashed')],
    ['1'],
    [['1', false]],
  ],
  [
    'the same app ran since the crash was seen',
    [runOf('2', 'dance', 'finished'), runOf('1', 'dance', 'crashed')],
    [],
    [],
  ],
  [
    'several crashes of two apps: the newest of each',
    [
      runOf('4', 'wave', 'crashed'),
      runOf('3', 'dance', 'crashed'),
      runOf('2', 'wave', 'crashed'),
      runOf('1', 'dance', 'crashed'),
    ],
    ['1', '2', '3', '4'],
    [
      ['4', false],
      ['3', false],
    ],
  ],
  ['a forced stop is no crash', [runOf('1', 'dance', 'killed')], [], []],
])('%s', (_, runs, unseen, expected) => {
  expect(crashesIn(runs, new Set(unseen)).map(({ run, seen }) => [run.runId, seen])).toEqual(expected);
});
