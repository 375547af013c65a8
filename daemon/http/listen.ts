import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { askDaemon } from '../client/node/ask-daemon.ts';
import { DomainError } from '../shared/domain-error.ts';
import { portHolder } from '../shared/processes/port-holder.ts';
import { ownUrl } from './security/own-hosts.ts';

/** The address that was asked for cannot be had. */
export class AddressUnavailable extends DomainError {}

/** Another program listens there. */
export class PortInUse extends AddressUnavailable {
  readonly port: number;
  /** Who that is, as far as it can be known: `node (process 12)`. */
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

/** @param port 0 for any that is free. @returns the port. @throws PortInUse, AddressUnavailable */
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

/** Who has a port, as far as that can be known. */
async function describeHolder(host: string, port: number): Promise<string> {
  const [daemon, holder] = await Promise.all([askDaemon(ownUrl(host, port)), portHolder(port)]);
  if (daemon) return `another robot daemon (process ${daemon.pid}, data folder ${daemon.dataDir})`;
  return holder ? `${holder.name} (process ${holder.pid})` : 'another program';
}

function reasonFor(code: string | undefined, message: string, host: string, port: number): string {
  switch (code) {
    case 'EACCES':
      return `Port ${port} may not be used by this user. Choose one above 1023 with --port.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} is not an address of this machine. Leave --host out, or use 127.0.0.1.`;
    default:
      return `The daemon cannot listen at ${host}:${port}: ${message}.`;
  }
}
