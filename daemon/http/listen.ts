import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DomainError } from '../shared/domain-error.ts';

/** The address that was asked for cannot be had. */
export class AddressUnavailable extends DomainError {}

/** @param port 0 for any that is free. @returns the port. @throws AddressUnavailable */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  server.listen({ host, port });
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new AddressUnavailable(reasonFor(error as NodeJS.ErrnoException, host, port), { cause: error });
  }
  return (server.address() as AddressInfo).port;
}

function reasonFor({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is in use, perhaps by another Robot Desktop. Stop that program, or choose another port with --port (0 takes any).`;
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
