import { logLevels } from '../shared/logger.ts';

/** An option of the daemon. With `value`, it takes one. */
export interface DaemonFlag {
  readonly text: string;
  /** The name of its value, `folder`. */
  readonly value?: string;
  /** Its value when it is not given. */
  readonly default?: string;
  /** The meaning of its absence where that has no value, for a person. */
  readonly unless?: string;
  readonly choices?: readonly string[];
  /** The heading that it is listed below. */
  readonly group?: 'Robot:';
}

/**
 * The options of the daemon, described once: the start parses them with Node's own parser, since loading the one of the
 * commands takes 10 ms; usage text and completion come from here too.
 */
export const daemonFlags = {
  sim: { text: "a simulated robot, instead of the one on this machine's USB", group: 'Robot:' },
  emulator: { text: 'emulated servos behind a real serial port', group: 'Robot:' },
  auto: { text: 'the robot if it is connected, else a simulated one until it is', group: 'Robot:' },
  'serial-port': { value: 'path', text: "the robot's serial port", unless: 'found by its USB id', group: 'Robot:' },
  'startup-app': { value: 'app', text: 'the app to start at the first wake-up and at a touch of an antenna' },
  port: { value: 'number', text: 'the port to listen on; 0: any free port', default: '8000' },
  host: { value: 'address', text: 'the address to listen on', default: '127.0.0.1' },
  'require-token': { text: 'require a token for every request, from this machine too' },
  'behind-proxy': { value: 'address', text: 'the IP address of a proxy in front of the daemon', unless: 'none' },
  'data-dir': { value: 'folder', text: 'the folder for apps and data' },
  python: { value: 'program', text: 'the preferred Python', unless: 'the first suitable one on PATH' },
  installer: { value: 'tool', text: 'the installer', choices: ['auto', 'uv', 'pip'], default: 'auto' },
  'install-minutes': { value: 'n', text: 'the time limit for an install', default: '30' },
  hub: { value: 'address', text: 'the hub that apps come from' },
  catalog: { value: 'file', text: 'a catalog file instead of the built-in one' },
  'llama-server': {
    value: 'file',
    text: 'the llama-server for models; none: the bundled program only',
    unless: 'on PATH, or downloaded',
  },
  'llama-server-url': {
    value: 'address',
    text: 'the archive to install llama-server from',
    unless: "its project's release",
  },
  'llama-server-sha256': { value: 'digest', text: 'the checksum of that archive', unless: 'that of the release' },
  'container-engine': {
    value: 'socket',
    text: 'the socket of Docker or Podman, for models; none: no containers',
    unless: 'the first that answers',
  },
  'log-level': { value: 'level', text: 'what the log tells', choices: logLevels, default: 'info' },
  'no-wake-up-on-start': { text: 'leave the robot asleep' },
} as const satisfies Record<string, DaemonFlag>;

export type DaemonFlagName = keyof typeof daemonFlags;

/** The values of the options after parsing. */
export type DaemonFlagValues = {
  readonly [Name in DaemonFlagName]: ValueOf<(typeof daemonFlags)[Name]>;
};
type ValueOf<Flag> = Flag extends { readonly default: string }
  ? string
  : Flag extends { readonly value: string }
    ? string | undefined
    : boolean | undefined;
