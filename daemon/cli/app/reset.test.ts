import { expect, test } from 'vitest';
import { DaemonError } from '../../client/daemon-error.ts';
import { InstalledApp } from '../../contract/apps/apps.ts';
import type { AppReset } from '../../contract/apps/reset.ts';
import { appNamed } from '../../testing/apps/some-apps.ts';
import { atTerminal, captureOutput } from '../../testing/terminal/in-process.ts';
import { scriptedClient } from '../../testing/terminal/scripted-daemon.ts';
import { Declined } from '../shared/ask.ts';
import { BadArguments } from '../shared/errors.ts';
import { type ResetOptions, reset } from './reset.ts';

const never = new AbortController().signal;
const dance = InstalledApp.parse(appNamed('dance'));
const largest = [
  { path: 'scores.json', bytes: 1_199_000, besideCode: false },
  { path: 'dance/counter.json', bytes: 1_000, besideCode: true },
];
const contents = { files: 22, bytes: 1_200_000, largest, variables: ['API_KEY', 'MOOD'] };
const nothing = { files: 0, bytes: 0, largest: [], variables: [] };
const setAside = {
  ...{ at: '2026-11-27T08:00:00.000Z', until: '2026-11-28T08:00:00.000Z' },
  ...{ files: 3, bytes: 1_200_000, variables: ['MOOD'] },
};

const wouldLose = new DaemonError(
  409,
  'An undo of the reset deletes for good what was saved since: 1 file, 3 B.',
  [],
  undefined,
  {
    code: 'saved-since-reset',
  },
);

/**
 * Resets on a daemon whose app has that. @param refusal of an undo that replaces nothing
 * @returns what went wrong, and the calls that change something
 */
async function run(status: AppReset, options: ResetOptions, refusal?: DaemonError) {
  const { client, calls } = scriptedClient({
    getAppReset: () => status,
    resetApp: () => dance,
    undoAppReset: ({ query }) => {
      if (refusal && !query?.replace) throw refusal;
      return dance;
    },
  });
  const error = await reset({ client, signal: never }, 'dance', options).catch((failure: unknown) => failure);
  const changes = calls.filter(([name]) => name !== 'getAppReset');
  return { error, changes: changes.map(([name, input]) => [name, (input as { query?: unknown }).query]) };
}

test('what a reset removes is listed, and a yes resets', async () => {
  const terminal = atTerminal([{ wait: 'y/N', send: 'y\r' }]);
  const { error, changes } = await run({ contents, setAside }, {});
  expect({ error, changes }).toEqual({ error: undefined, changes: [['resetApp', undefined]] });
  expect(terminal.screen).toBe(
    [
      'SIZE    FILE',
      '1.2 MB  scores.json',
      '1 kB    dance/counter.json (beside its code)',
      'and 20 smaller files',
      'Variables: API_KEY, MOOD',
      'The earlier reset can then no longer be undone.',
      'Reset dance: remove 22 files, 1.2 MB, and 2 variables? It can be undone for 24 hours. [y/N] y',
      'dance is reset: 22 files, 1.2 MB, and 2 variables removed.',
      'To bring that back within 24 hours: robot-daemon app reset dance --undo',
      '',
    ].join('\n'),
  );
});

test('anything but a yes changes nothing', async () => {
  atTerminal([{ wait: 'y/N', send: '\r' }]);
  const { error, changes } = await run({ contents, setAside: null }, {});
  expect({ error, changes }).toEqual({ error: new Declined('dance is not reset.'), changes: [] });
});

test('without a terminal it asks for --yes, and with it resets without a question', async () => {
  const printed = captureOutput();
  const refused = await run({ contents, setAside: null }, {});
  expect(refused).toEqual({
    error: new BadArguments('app reset asks before it resets; without a terminal, give --yes.'),
    changes: [],
  });
  expect((await run({ contents, setAside: null }, { yes: true })).changes).toEqual([['resetApp', undefined]]);
  expect(printed.out).toMatch(/^dance is reset: 22 files, 1\.2 MB, and 2 variables removed\.\n/);
  expect(printed.err).toBe('');
});

test('an undo needs no question where nothing would be lost', async () => {
  const printed = captureOutput();
  const { error, changes } = await run({ contents: nothing, setAside }, { undo: true });
  expect({ error, changes }).toEqual({ error: undefined, changes: [['undoAppReset', { replace: false }]] });
  expect(printed.out).toBe('dance is as before its reset, and has 3 files, 1.2 MB, and 1 variable again.\n');
});

test('an undo that would remove something newer says what and asks, and replaces it after a yes or with --yes', async () => {
  const terminal = atTerminal([{ wait: 'y/N', send: 'y\r' }]);
  const asked = await run({ contents, setAside }, { undo: true }, wouldLose);
  expect(asked.changes).toEqual([
    ['undoAppReset', { replace: false }],
    ['undoAppReset', { replace: true }],
  ]);
  expect(terminal.screen).toBe(
    [
      'An undo of the reset deletes for good what was saved since: 1 file, 3 B.',
      'Undo the reset of dance, and lose that? [y/N] y',
      'dance is as before its reset, and has 3 files, 1.2 MB, and 1 variable again.',
      '',
    ].join('\n'),
  );
  const given = await run({ contents, setAside }, { undo: true, yes: true }, wouldLose);
  expect(given.changes).toEqual([['undoAppReset', { replace: true }]]);
});

test('an undo is not repeated without a yes, and not for another reason', async () => {
  atTerminal([{ wait: 'y/N', send: '\r' }]);
  expect(await run({ contents, setAside }, { undo: true }, wouldLose)).toEqual({
    error: new Declined('The reset of dance is not undone.'),
    changes: [['undoAppReset', { replace: false }]],
  });
  const running = new DaemonError(409, '"dance" is running. Stop it first.');
  expect(await run({ contents, setAside }, { undo: true }, running)).toEqual({
    error: running,
    changes: [['undoAppReset', { replace: false }]],
  });
});

test('without a terminal, an undo that would remove something newer asks for --yes', async () => {
  captureOutput();
  expect(await run({ contents, setAside }, { undo: true }, wouldLose)).toEqual({
    error: new BadArguments(
      'app reset --undo asks before it replaces what was saved since; without a terminal, give --yes.',
    ),
    changes: [['undoAppReset', { replace: false }]],
  });
});

test('where there is nothing to reset, the daemon says so', async () => {
  captureOutput();
  expect((await run({ contents: nothing, setAside: null }, {})).changes).toEqual([['resetApp', undefined]]);
});
