import { expect, test } from 'vitest';
import { savedOptions } from '../shared/data-folder/data-folder-lock.ts';
import { argumentsFor, parseDaemonArguments, UnknownArgument } from './daemon-arguments.ts';
import { BadArguments } from './shared/errors.ts';

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
  [['--llama-server', 'none', '--container-engine', 'none']],
  [['--container-engine', './podman.sock']],
  [['--require-token', '--behind-proxy', '192.0.2.7']],
  [['--behind-proxy', '[::1]']],
  [['--container-engine', 'tcp://localhost:2375']],
  [['--llama-server', './llama-server', '--llama-server-url', 'http://mirror.example/a.tar.gz?b=c']],
  [['--llama-server-sha256', 'A'.repeat(64)]],
  [['--auto', '--serial-port', '/dev/ttyACM3', '--startup-app', 'hello_wave', '--host', '0.0.0.0']],
  [['--serial-port', '/dev/ttyACM3', '--python', './bin/python', '--data-dir', 'somewhere']],
])('the options of a daemon started with %j are saved and parsed again', (argv) => {
  const parsed = parseDaemonArguments(argv);
  const saved = JSON.parse(JSON.stringify(savedOptions({ ...parsed, resources: {}, dashboard: () => {} })));
  expect(parseDaemonArguments(argumentsFor(saved))).toEqual(parsed);
});

test.each([
  [['--sim', '--emulator'], '--sim and --emulator exclude each other.'],
  [['--sim', '--serial-port', '/dev/ttyACM0'], '--serial-port is for a real robot, not for --sim.'],
  [['--sim', '--port', '70000'], '--port must be a number from 0 to 65535, not "70000".'],
  [['--sim', '--port=-1'], '--port must be a number from 0 to 65535, not "-1".'],
  [['--sim', '--log-level', 'loud'], '--log-level must be one of debug, info, warn, error, not "loud".'],
  [['--sim', '--installer', 'conda'], '--installer must be one of auto, uv, pip, not "conda".'],
  [
    ['--llama-server-url', 'mirror'],
    '--llama-server-url must be an address like https://mirror.example/a.tar.gz, not "mirror".',
  ],
  [
    ['--hub', 'https://:secret@hub.example'],
    '--hub must be an address like https://hub.example, not "https://:secret@hub.example".',
  ],
  [['--llama-server-sha256', 'abc'], '--llama-server-sha256 must have 64 hexadecimal digits, not "abc".'],
  [
    ['--container-engine', 'ssh://lab.example'],
    '--container-engine must be a socket of this machine, like /run/podman/podman.sock, not "ssh://lab.example".',
  ],
  ...['proxy.example', '10.0.0.0/8', 'fe80::1%eth0', ''].map((given): [string[], string] => [
    ['--behind-proxy', given],
    `--behind-proxy must be the IP address that the proxy connects from, like 127.0.0.1, not "${given}".`,
  ]),
  [['--sim', '--host', ''], '--host needs an address, like 127.0.0.1.'],
])('%j is refused with a sentence', (argv, sentence) => {
  expect(() => parseDaemonArguments(argv)).toThrow(new BadArguments(sentence));
});

test.each([
  [['--sim', '--colour'], "Unknown option '--colour'"],
  [['--sim', 'status'], "Unexpected argument 'status'"],
])('%j is left to the parser of the commands', (argv, sentence) => {
  expect(() => parseDaemonArguments(argv)).toThrow(new UnknownArgument(sentence));
});

test('saved options of another version are ignored', () => {
  expect(argumentsFor({ port: 8000, wheels: 4 })).toEqual(['--port', '8000']);
});
