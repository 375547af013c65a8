import { readdir, readFile, readlink } from 'node:fs/promises';

/** One row of a table of proc_net_tcp(5). */
export interface TcpRow {
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
export async function tcpRows(): Promise<TcpRow[]> {
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
export async function holdsSocket(pid: number | string, inodes: ReadonlySet<string>): Promise<boolean> {
  const handles = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const targets = await Promise.all(handles.map((handle) => readlink(`/proc/${pid}/fd/${handle}`).catch(() => '')));
  return targets.some((target) => inodes.has(/^socket:\[(\d+)\]$/.exec(target)?.[1] ?? ''));
}

/** The port of an address such as `0100007F:1F40`. */
function portIn(address: string): number {
  return Number.parseInt(address.slice(address.lastIndexOf(':') + 1), 16);
}
