import { createServer, type Server } from 'node:http';
import type { RequestHandler } from 'express';
import type { AccessTokens } from '../access/access-tokens.ts';
import type { AdmitProgram } from '../robot/sdk-session.ts';
import type { Gateway } from './gateway/gateway.ts';
import { type HttpServices, httpApp } from './http-app.ts';
import { listen } from './listen.ts';
import { sdkUpgrade } from './sdk-upgrade.ts';
import { type Access, accessFor } from './security/access.ts';
import { accessTokenIn } from './security/access-token-file.ts';
import type { OwnAddress } from './security/own-address.ts';
import { isLoopback } from './security/own-hosts.ts';

export interface DaemonServerDeps {
  readonly services: Omit<HttpServices, 'hosts' | 'access' | 'dashboard'> & { readonly gateway: Gateway };
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Set once the server listens. */
  readonly address: OwnAddress;
  readonly tokens: AccessTokens;
  /** The file with the access token for other machines. */
  readonly tokenFile: string;
  readonly admit: AdmitProgram;
  readonly daemonVersion: string;
  /** Creates the handler of the page at `/`. */
  readonly dashboard: (server: Server) => Promise<RequestHandler>;
}

/** The daemon's HTTP server: routes, page, events and the sockets of programs. */
export class DaemonServer {
  // Java's HTTP client offers HTTP/2 with each first request, and expects an ordinary answer where there is none.
  readonly server = createServer({ shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() !== 'h2c' });
  readonly #deps: DaemonServerDeps;
  #endSockets = (): void => {};

  constructor(deps: DaemonServerDeps) {
    this.#deps = deps;
  }

  /** Listens. @returns the address. @throws PortInUse, AddressUnavailable */
  async open(): Promise<string> {
    const { services, host, port, address, admit, daemonVersion, dashboard } = this.#deps;
    const { robot, volume, events, clock, log } = services;
    const hosts = () => address.hosts;
    await services.sessions.load();
    const access = await this.#access();
    const { server } = this;
    server.on('request', httpApp({ ...services, hosts, access, dashboard: await dashboard(server) }));
    this.#endSockets = sdkUpgrade(server, { robot, volume, access, clock, log, hosts, admit, daemonVersion });
    address.listensAt(host, await listen(server, host, port));
    events.open();
    return address.url;
  }

  /** Ends the events and every connection. */
  async close(): Promise<void> {
    const { server } = this;
    this.#deps.services.events.close();
    this.#endSockets();
    server.closeAllConnections();
    await this.#deps.services.gateway.close();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  }

  async #access(): Promise<Access> {
    const { services, host, tokens, tokenFile } = this.#deps;
    const { authenticate, clock, log } = services;
    if (isLoopback(host)) return accessFor(null, { tokens, authenticate });
    const access = accessFor(await accessTokenIn(clock, tokenFile, log), { tokens, authenticate });
    log.info(`other machines need the access token in ${tokenFile}, as a bearer token`);
    return access;
  }
}
