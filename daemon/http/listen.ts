import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { askDaemon } from '../client/node/daemon-at.ts';
import { DomainError } from '../shared/domain-error.ts';
import { portHolder } from '../shared/processes/port-holder.ts';
import { ownUrl } from './security/own-hosts.ts';

/** The requested address cannot be used. */
export class AddressUnavailable extends DomainError {}

/** Another program listens on the port. */
export class PortInUse extends AddressUnavailable {
  readonly port: number;
  /** The program, if it can be determined: `node (process 12)`. */
  readonly holder: string;
  constructor(port: number, holder: string, options: ErrorOptions) {
    super(
      `Port ${port} is in use by ${holder}. Stop that program, or choose another port with --port (0 takes any).`,
      options,
    );
    this.port = port;
    this.holder = holder;
  }
}

/** @param port 0: any free port. @returns the port. @throws PortInUse, AddressUnavailable */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  server.listen({ host, port });
  try {
    await once(server, 'listening');
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new PortInUse(port, await describeHolder(host, port), { cause });
    throw new AddressUnavailable(reasonFor(code, message, host, port), { cause });
  }
  return (server.address() as AddressInfo).port;
}

/** Names the process that listens on a port, if it can be determined. */
async function describeHolder(host: string, port: number): Promise<string> {
  const [daemon, holder] = await Promise.all([askDaemon(ownUrl(host, port)), portHolder(port)]);
  if (daemon) return `another robot daemon (process ${daemon.pid}, data folder ${daemon.dataDir})`;
  return holder ? `${holder.name} (process ${holder.pid})` : 'another program';
}

function reasonFor(code: string | undefined, message: string, host: string, port: number): string {
  switch (code) {
    case 'EACCES':
      return `This user may not use port ${port}. Choose one above 1023 with --port.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} is not an address of this machine. Omit --host, or use 127.0.0.1.`;
    default:
      return `The daemon cannot listen on ${host}:${port}: ${message}.`;
  }
}
