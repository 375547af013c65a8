import { holdsSocket, tcpRows } from './proc-sockets.ts';
import { askSystemTool } from './system-tool.ts';

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
