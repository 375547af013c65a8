import { once } from 'node:events';
import { connect, type NetConnectOpts } from 'node:net';
import { join } from 'node:path';
import { hasScreen } from '../../daemon/cli/desktop-opener.ts';

/** A server on this machine answers in milliseconds; one in a network may be asleep. */
const ANSWERS_WITHIN_MS = 2_000;
/** The TCP port of display 0 of an X server. */
const FIRST_X_PORT = 6_000;

/**
 * Whether windows can be shown. A variable may name a display that has ended or that never was; Electron would then print a
 * line of its own and exit.
 * @returns null if they can, else the reason: a sentence without a full stop
 */
export async function screenProblem(env: NodeJS.ProcessEnv): Promise<string | null> {
  if (!hasScreen(env)) return 'there is no screen';
  if (process.platform !== 'linux') return null;
  const { DISPLAY, WAYLAND_DISPLAY } = env;
  const answers = await Promise.all([...waylandSockets(env), ...xSockets(DISPLAY)].map(isAnswered));
  if (answers.includes(true)) return null;
  return `the screen ${WAYLAND_DISPLAY || DISPLAY} does not answer`;
}

function waylandSockets({ WAYLAND_DISPLAY, XDG_RUNTIME_DIR = '' }: NodeJS.ProcessEnv): NetConnectOpts[] {
  if (!WAYLAND_DISPLAY) return [];
  return [{ path: WAYLAND_DISPLAY.startsWith('/') ? WAYLAND_DISPLAY : join(XDG_RUNTIME_DIR, WAYLAND_DISPLAY) }];
}

/** The sockets of an X display, `:0`, `unix:0.0` or `host:0`: a file, the same name without a file, or a TCP port. */
function xSockets(display = ''): NetConnectOpts[] {
  const [, host = '', number] = /^(.*):(\d+)(?:\.\d+)?$/.exec(display) ?? [];
  if (number === undefined) return [];
  if (host !== '' && host !== 'unix') return [{ host, port: FIRST_X_PORT + Number(number) }];
  const path = `/tmp/.X11-unix/X${number}`;
  return [{ path }, { path: `\0${path}` }];
}

async function isAnswered(address: NetConnectOpts): Promise<boolean> {
  const socket = connect(address);
  socket.on('error', () => {}); // also after the limit
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
