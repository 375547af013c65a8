import { createServer, type Server } from 'node:http';
import type { RequestHandler } from 'express';
import { accessTokenIn } from '../access/access-token-file.ts';
import type { AccessTokens } from '../access/access-tokens.ts';
import type { AdmitProgram } from '../robot/sdk-session.ts';
import type { Gateway } from './gateway/gateway.ts';
import { type HttpServices, httpApp } from './http-app.ts';
import { listen } from './listen.ts';
import { sdkUpgrade } from './sdk-upgrade.ts';
import { type Access, accessFor } from './security/access.ts';
import { isLoopback, type OwnAddress } from './security/own-hosts.ts';
import type { RequestSources } from './security/request-sources.ts';

interface DaemonServerDeps {
  readonly services: Omit<HttpServices, 'hosts' | 'access' | 'dashboard'> & {
    readonly gateway: Gateway;
    readonly sources: RequestSources;
  };
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Set once the server listens. */
  readonly address: OwnAddress;
  readonly tokens: AccessTokens;
  /** The file with the access token. */
  readonly tokenFile: string;
  /** Whether programs of this machine need a token, too. */
  readonly asksThisMachine: boolean;
  /** Whether a text is the token of the running app. */
  readonly isRunToken: (text: string) => boolean;
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
  #accessToken: string | null = null;

  constructor(deps: DaemonServerDeps) {
    this.#deps = deps;
  }

  /** The token that programs of this machine need; null: none. Known once it listens. */
  get accessToken(): string | null {
    return this.#deps.asksThisMachine ? this.#accessToken : null;
  }

  /** Listens. @returns the address. @throws PortInUse, AddressUnavailable */
  async open(): Promise<string> {
    const { services, host, port, address, admit, daemonVersion, dashboard } = this.#deps;
    const { robot, volume, sources, events, clock, log } = services;
    const hosts = () => address.hosts;
    await Promise.all([services.sessions.load(), services.issuedTokens.load()]);
    const access = await this.#access();
    const { server } = this;
    // Else some releases of Node drop all headers after the 1,000th, also a proxy's. The bytes of all are limited.
    server.maxHeadersCount = 0;
    server.on('request', httpApp({ ...services, hosts, access, dashboard: await dashboard(server) }));
    const guard = { hosts, access, sources, admit };
    this.#endSockets = sdkUpgrade(server, { robot, volume, clock, log, daemonVersion, ...guard });
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
    const { services, host, tokens, tokenFile, asksThisMachine, isRunToken } = this.#deps;
    const { authenticate, sources, clock, log } = services;
    if (asksThisMachine || !isLoopback(host)) {
      this.#accessToken = await accessTokenIn(clock, tokenFile, log);
      const who = asksThisMachine ? 'programs' : 'other machines';
      log.info(`${who} need the access token in ${tokenFile}, as a bearer token`);
    }
    return accessFor(this.#accessToken, { tokens, authenticate, sources, isRunToken });
  }
}
