import { type PortHolder, programOf } from './port-holder.ts';
import { holdsSocket, tcpRows } from './proc-sockets.ts';
import { processIds } from './processes.ts';

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
