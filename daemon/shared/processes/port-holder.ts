import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { askSystemTool } from './system-tool.ts';

/** Whether this system tells who listens at a port: if it knows nobody there, then it is another user's process. */
export const knowsPortHolders = process.platform === 'linux' || process.platform === 'darwin';

/** The process that listens at a port of this machine. */
export interface PortHolder {
  readonly pid: number;
  /** The name of its program, `python3`. */
  readonly name: string;
}

/**
 * Finds who listens at a TCP port: in /proc on Linux, by `lsof` on macOS.
 * @returns null where nobody does, and where that cannot be known: another user's process, Windows
 */
export async function portHolder(port: number): Promise<PortHolder | null> {
  if (process.platform === 'linux') return holderInProc(port);
  if (process.platform === 'win32') return null;
  const args = ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'];
  const stdout = await askSystemTool('lsof', args, { timeoutMs: 2_000 });
  const pid = /^p(\d+)$/m.exec(stdout)?.[1];
  return pid === undefined ? null : { pid: Number(pid), name: /^c(.*)$/m.exec(stdout)?.[1] ?? '' };
}

async function holderInProc(port: number): Promise<PortHolder | null> {
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFile(file, 'latin1').catch(() => '')),
  );
  const sockets = new Set(tables.flatMap((table) => listeningSockets(table, port)));
  if (sockets.size === 0) return null;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const holders = await Promise.all(pids.map((pid) => holdsOneOf(pid, sockets)));
  const pid = pids.find((_, index) => holders[index]);
  if (pid === undefined) return null;
  // Not its `comm`: a program may give its threads other names, as Node does.
  return { pid: Number(pid), name: basename(await readlink(`/proc/${pid}/exe`).catch(() => '')) };
}

/** The inodes of the sockets that listen at a port, from a table of proc_net_tcp(5). */
export function listeningSockets(table: string, port: number): string[] {
  const LISTEN = '0A';
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return table.split('\n').flatMap((line) => {
    const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
    return state === LISTEN && local?.endsWith(end) && inode ? [inode] : [];
  });
}

async function holdsOneOf(pid: string, sockets: ReadonlySet<string>): Promise<boolean> {
  const handles = await readdir(`/proc/${pid}/fd`).catch(() => []); // another user's cannot be read
  const targets = await Promise.all(handles.map((handle) => readlink(`/proc/${pid}/fd/${handle}`).catch(() => '')));
  return targets.some((target) => sockets.has(/^socket:\[(\d+)\]$/.exec(target)?.[1] ?? ''));
}
