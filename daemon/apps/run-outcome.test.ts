import { expect, test } from 'vitest';
import { describeRun, type RunFacts } from './run-outcome.ts';

const ended: RunFacts = {
  exit: { code: 0, signal: null, killed: false, leftovers: 0 },
  stopAsked: false,
  forced: false,
  lastedMs: 500,
  saidHello: true,
  wroteNothing: false,
  lastErrors: [],
};

test.each<[string, Partial<RunFacts>, string, string]>([
  ['a good end', {}, 'finished', 'It finished.'],
  [
    'an end without a beginning',
    { saidHello: false, wroteNothing: true },
    'finished',
    'It ended at once without doing anything. Its main module may lack the __main__ block.',
  ],
  [
    'a traceback',
    {
      exit: { code: 1, signal: null, killed: false, leftovers: 0 },
      lastErrors: [
        'Traceback (most recent call last):',
        '  File "main.py", line 1',
        "ModuleNotFoundError: No module named 'x'",
        '',
      ],
    },
    'crashed',
    "It crashed (exit code 1): ModuleNotFoundError: No module named 'x'.",
  ],
  [
    'a signal from elsewhere',
    { exit: { code: null, signal: 'SIGSEGV', killed: false, leftovers: 2 } },
    'crashed',
    'It crashed (signal SIGSEGV). 2 processes it had left behind were ended.',
  ],
  [
    'a bad status after a stop is no crash',
    { stopAsked: true, exit: { code: 1, signal: null, killed: false, leftovers: 1 } },
    'stopped',
    'Stopped. A process it had left behind was ended.',
  ],
  [
    'a stop that needed SIGKILL',
    { stopAsked: true, exit: { code: null, signal: 'SIGKILL', killed: true, leftovers: 0 } },
    'killed',
    'It did not stop when asked, so it was killed.',
  ],
  [
    'a forced stop',
    { stopAsked: true, forced: true, exit: { code: null, signal: 'SIGKILL', killed: true, leftovers: 0 } },
    'killed',
    'It was ended by force.',
  ],
])('%s', (_name, facts, outcome, message) => {
  expect(describeRun({ ...ended, ...facts })).toEqual({ outcome, message });
});
