import { posix, win32 } from 'node:path';

/** Where a container engine may answer: a socket or a pipe, or a port of this machine. */
export type EnginePlace = { readonly socketPath: string } | { readonly host: string; readonly port: number };

/** Facts about this machine and its user that decide where engines put their sockets. */
export interface MachineFacts {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** The folder of temporary files. */
  readonly temporary: string;
  /** null: this system has no numbers of users. */
  readonly uid: number | null;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/i;
/** Of Docker without TLS. */
const DEFAULT_PORT = 2375;

/**
 * Reads the address of an engine: a path, `unix://…`, `npipe://…`, or `tcp://…` of this machine.
 * @returns null for every other one, such as that of another machine: its ports would not be published here
 */
export function placeFrom(text: string): EnginePlace | null {
  const path = /^(?:unix|npipe):\/\/(.+)$/i.exec(text)?.[1] ?? text;
  if (posix.isAbsolute(path) || win32.isAbsolute(path)) return { socketPath: path };
  const url = URL.parse(text);
  const isPlain = url?.protocol === 'tcp:' || url?.protocol === 'http:';
  if (!isPlain || !LOOPBACK.test(url.hostname)) return null;
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) || DEFAULT_PORT };
}

/** The form of a place that `placeFrom` reads: the path of its socket, or an address. */
export function placeText(place: EnginePlace): string {
  if ('socketPath' in place) return place.socketPath;
  return `tcp://${place.host.includes(':') ? `[${place.host}]` : place.host}:${place.port}`;
}

/** The sockets and pipes of Docker and Podman as they are installed, in the order of preference. */
export function usualPlaces({ platform, home, temporary, uid, environment }: MachineFacts): readonly string[] {
  const inHome = (...parts: string[]) => posix.join(home, ...parts);
  if (platform === 'win32') {
    return ['docker_engine', 'dockerDesktopLinuxEngine', 'podman-machine-default'].map(
      (name) => `\\\\.\\pipe\\${name}`,
    );
  }
  const desktop = [inHome('.docker', 'run', 'docker.sock'), inHome('.docker', 'desktop', 'docker.sock')];
  if (platform === 'darwin') {
    const machine = inHome('.local', 'share', 'containers', 'podman', 'machine');
    return [
      ...['/var/run/docker.sock', ...desktop],
      ...[inHome('.orbstack', 'run', 'docker.sock'), inHome('.colima', 'default', 'docker.sock')],
      posix.join(temporary, 'podman', 'podman-machine-default-api.sock'),
      ...[posix.join(machine, 'podman.sock'), posix.join(machine, 'qemu', 'podman.sock')],
    ];
  }
  const runtimeDir = environment['XDG_RUNTIME_DIR'] ?? (uid === null ? null : `/run/user/${uid}`);
  const ofUser =
    runtimeDir === null ? [] : ['docker.sock', 'podman/podman.sock'].map((name) => posix.join(runtimeDir, name));
  return ['/var/run/docker.sock', '/run/podman/podman.sock', ...ofUser, ...desktop];
}
