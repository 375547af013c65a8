import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { processIds } from './processes.ts';
import { askSystemTool } from './system-tool.ts';

/** One row of a table of proc_net_tcp(5). */
interface TcpRow {
  readonly localPort: number;
  /** 0 for a socket that listens. */
  readonly remotePort: number;
  readonly listens: boolean;
  /** Whether its own address is loopback, which no other machine can reach. */
  readonly onLoopback: boolean;
  /** Identifies the socket among the open files of a process. */
  readonly inode: string;
}

const LISTEN = '0A';
/** The addresses 127.0.0.0/8, the same within IPv6, and ::1, in the tables' order of bytes on this machine's processors. */
const LOOPBACK = /^(?:(?:0{16}FFFF0000)?[0-9A-F]{6}7F|0{24}01000000):/;

/** The TCP sockets of this machine, over IPv4 and IPv6. Only on Linux. */
async function tcpRows(): Promise<TcpRow[]> {
  const files = ['/proc/net/tcp', '/proc/net/tcp6'];
  const tables = await Promise.all(files.map((file) => readFile(file, 'latin1').catch(() => '')));
  return tables.flatMap(rowsOf);
}

/** @param table the text of a table of proc_net_tcp(5) */
export function rowsOf(table: string): TcpRow[] {
  const [, ...lines] = table.split('\n');
  return lines.flatMap((line) => {
    const [, local, remote, state, , , , , , inode] = line.trim().split(/\s+/);
    if (!local || !remote || !inode) return [];
    return [
      {
        localPort: portIn(local),
        remotePort: portIn(remote),
        listens: state === LISTEN,
        onLoopback: LOOPBACK.test(local),
        inode,
      },
    ];
  });
}

/** Whether a process has one of these sockets open. False for another user's process, which cannot be read. */
async function holdsSocket(pid: number, inodes: ReadonlySet<string>): Promise<boolean> {
  const handles = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const targets = await Promise.all(handles.map((handle) => readlink(`/proc/${pid}/fd/${handle}`).catch(() => '')));
  return targets.some((target) => inodes.has(/^socket:\[(\d+)\]$/.exec(target)?.[1] ?? ''));
}

/** The port of an address such as `0100007F:1F40`. */
function portIn(address: string): number {
  return Number.parseInt(address.slice(address.lastIndexOf(':') + 1), 16);
}

/** Whether `portHolder` finds all of this user's processes: where it finds none, the port is another user's. */
export const knowsPortHolders = process.platform === 'linux' || process.platform === 'darwin';

/** A process that listens on a port of this machine. */
interface PortHolder {
  readonly pid: number;
  /** The name of its program, `python3`. */
  readonly name: string;
}

/**
 * Finds the process that listens on a TCP port: in /proc on Linux, by `lsof` on macOS.
 * @returns null when none does, or when it cannot be determined: another user's process, Windows
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
  const rows = await tcpRows();
  const sockets = new Set(rows.filter((row) => row.listens && row.localPort === port).map(({ inode }) => inode));
  if (sockets.size === 0) return null;
  const pids = await processIds();
  const holders = await Promise.all(pids.map((pid) => holdsSocket(pid, sockets)));
  const pid = pids.find((_, index) => holders[index]);
  if (pid === undefined) return null;
  return { pid, name: await programOf(pid) };
}

/** The name of a process's program, from /proc; empty where it cannot be read. Not `comm`: programs such as Node rename their threads. */
async function programOf(pid: number): Promise<string> {
  return basename(await readlink(`/proc/${pid}/exe`).catch(() => ''));
}

/** The ports of a connection within this machine, as its accepting side sees them. */
export interface LocalConnection {
  readonly localPort: number;
  readonly remotePort: number;
}

const LSOF_MS = 2_000;

/**
 * Finds the one of some processes that has the connecting end of a connection: by /proc on Linux, by `lsof` on macOS.
 * @returns null when none has it, or when it cannot be determined: another user's process, Windows
 */
export async function connectionHolder(pids: readonly number[], connection: LocalConnection): Promise<number | null> {
  if (pids.length === 0 || process.platform === 'win32') return null;
  const { localPort, remotePort } = connection;
  if (process.platform !== 'linux') return listedHolder(await openConnections(pids, remotePort), connection);
  const rows = await tcpRows();
  const ends = rows.filter((row) => row.localPort === remotePort && row.remotePort === localPort);
  const inodes = new Set(ends.map(({ inode }) => inode));
  if (inodes.size === 0) return null;
  const holds = await Promise.all(pids.map((pid) => holdsSocket(pid, inodes)));
  return pids[holds.indexOf(true)] ?? null;
}

const openConnections = (pids: readonly number[], port: number) =>
  askSystemTool('lsof', ['-nP', '-a', '-p', pids.join(','), `-iTCP:${port}`, '-Fpn'], { timeoutMs: LSOF_MS });

/** @param listed the output of `lsof -Fpn`: `p123` for each process, then `n127.0.0.1:50000->127.0.0.1:8000` for each connection */
export function listedHolder(listed: string, { localPort, remotePort }: LocalConnection): number | null {
  let pid: number | null = null;
  for (const line of listed.split('\n')) {
    if (line.startsWith('p')) pid = Number(line.slice(1));
    const [, from, to] = /^n.*:(\d+)->.*:(\d+)$/.exec(line) ?? [];
    if (Number(from) === remotePort && Number(to) === localPort) return pid;
  }
  return null;
}

/**
 * Finds the processes of this machine that have a connection to one of its ports, and listen themselves for other machines,
 * as a proxy does. In /proc on Linux, as far as this user may read it; other systems are not looked at.
 * @param port of a server on this machine
 * @param except the processes to leave out
 */
export async function listeningClients(port: number, except: ReadonlySet<number>): Promise<PortHolder[]> {
  if (process.platform !== 'linux') return [];
  const rows = await tcpRows();
  const connected = rows.filter(({ listens }) => !listens);
  // Another machine's server may have the same port: the other end must be here, too.
  const accepted = new Set(connected.filter(({ localPort }) => localPort === port).map(({ remotePort }) => remotePort));
  const ends = connected.filter(({ localPort, remotePort }) => remotePort === port && accepted.has(localPort));
  const doors = rows.filter(({ listens, onLoopback }) => listens && !onLoopback);
  const [clients, listeners] = [ends, doors].map((sockets) => new Set(sockets.map(({ inode }) => inode)));
  if (!clients?.size || !listeners?.size) return [];
  const pids = (await processIds()).filter((pid) => !except.has(pid));
  const found = await Promise.all(
    pids.map(async (pid) => (await holdsSocket(pid, clients)) && (await holdsSocket(pid, listeners))),
  );
  return Promise.all(pids.filter((_, index) => found[index]).map(async (pid) => ({ pid, name: await programOf(pid) })));
}
