import { expect, test } from 'vitest';
import { savedOptions } from '../shared/data-folder/data-folder-lock.ts';
import { argumentsFor, BadArguments, parseDaemonArguments } from './daemon-arguments.ts';

test.each([
  [[]],
  [['--sim', '--port', '0', '--no-wake-up-on-start', '--log-level', 'debug']],
  [
    [
      '--emulator',
      '--installer',
      'pip',
      '--install-minutes',
      '7',
      '--hub',
      'https://hub.example',
      '--catalog',
      './models.json',
    ],
  ],
  [['--auto', '--serial-port', '/dev/ttyACM3', '--startup-app', 'hello_wave', '--host', '0.0.0.0']],
  [['--serial-port', '/dev/ttyACM3', '--python', './bin/python', '--data-dir', 'somewhere']],
])('a daemon started with %j is saved down and asked for again', (argv) => {
  const asked = parseDaemonArguments(argv);
  const saved = JSON.parse(JSON.stringify(savedOptions({ ...asked, resources: {}, dashboard: () => {} })));
  expect(parseDaemonArguments(argumentsFor(saved))).toEqual(asked);
});

test('saved options of another version are ignored', () => {
  expect(argumentsFor({ port: 8000, wheels: 4 })).toEqual(['--port', '8000']);
});
