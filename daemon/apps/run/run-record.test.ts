import { expect, test } from 'vitest';
import type { AppExit } from './process/app-process.ts';
import { describeRun, type RunFacts } from './run-record.ts';

const exit: AppExit = { code: 0, signal: null, isOutOfMemory: false, killed: false, leftovers: 0, killedProcesses: [] };
const ended: RunFacts = {
  exit,
  stopAsked: false,
  forced: false,
  lastedMs: 500,
  saidHello: true,
  lines: [{ stream: 'stdout', text: 'hello' }],
  appPackage: 'dance',
  sdkVersion: '1.0.0',
  robotLost: false,
};

test.each<[string, Partial<RunFacts>, string, string]>([
  ['a normal end', {}, 'finished', 'It finished.'],
  [
    'an immediate end without output',
    { saidHello: false, lines: [] },
    'finished',
    'It ended at once without doing anything. Its main module may lack the __main__ block.',
  ],
  [
    'a traceback',
    {
      exit: { ...exit, code: 1, signal: null, killed: false, leftovers: 0 },
      lines: [
        'Traceback (most recent call last):',
        '  File "/envs/1/lib/dance/main.py", line 7, in <module>',
        '    import moves',
        "ModuleNotFoundError: No module named 'moves'",
      ].map((text) => ({ stream: 'stderr', text })),
    },
    'crashed',
    'It needs the Python package moves, which is not installed with it. It ended with exit code 1.',
  ],
  [
    'a signal',
    { exit: { ...exit, code: null, signal: 'SIGSEGV', killed: false, leftovers: 2 } },
    'crashed',
    'A compiled part of it crashed (SIGSEGV). 2 processes that it left running were stopped.',
  ],
  [
    'a bad status after a stop is no crash',
    { stopAsked: true, exit: { ...exit, code: 1, signal: null, killed: false, leftovers: 1 } },
    'stopped',
    'Stopped. A process that it left running was stopped.',
  ],
  [
    'a stop that needed SIGKILL',
    { stopAsked: true, exit: { ...exit, code: null, signal: 'SIGKILL', killed: true, leftovers: 0 } },
    'killed',
    'It did not stop in time and was force-stopped.',
  ],
  [
    'a forced stop',
    { stopAsked: true, forced: true, exit: { ...exit, code: null, signal: 'SIGKILL', killed: true, leftovers: 0 } },
    'killed',
    'It was force-stopped.',
  ],
])('%s', (_name, facts, outcome, message) => {
  const run = describeRun({ ...ended, ...facts });
  expect(run).toMatchObject({ outcome, message });
  expect(run.diagnosis !== null).toBe(outcome === 'crashed');
});
