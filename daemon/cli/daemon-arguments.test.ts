import { expect, test } from 'vitest';
import { askedOptions } from '../shared/data-folder/data-folder-lock.ts';
import { argumentsFor, parseDaemonArguments } from './daemon-arguments.ts';

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
])('a daemon started with %j is written down and asked for again', (argv) => {
  const asked = parseDaemonArguments(argv);
  const written = JSON.parse(JSON.stringify(askedOptions({ ...asked, resources: {}, dashboard: () => {} })));
  expect(parseDaemonArguments(argumentsFor(written))).toEqual(asked);
});

test('what was written down for a daemon of another version is left out', () => {
  expect(argumentsFor({ port: 8000, wheels: 4 })).toEqual(['--port', '8000']);
});
