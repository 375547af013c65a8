import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AccessTokens } from '../../access/access-tokens.ts';
import { systemNow } from '../../shared/clock.ts';
import { createLogger } from '../../shared/logger.ts';
import { signalProcess } from '../../shared/processes/processes.ts';
import { type DaemonProcess, startDaemonProcess } from '../daemon/daemon-process.ts';
import { ownConnection } from '../daemon/raw-requests.ts';
import { newDataDir } from '../daemon/test-daemon.ts';
import { type EndpointClient, endpointClient } from '../endpoints/endpoint-client.ts';
import { writeSmallCatalog } from '../models/small-catalog.ts';

/** A daemon in a process of its own with the small catalog, which is killed and started again, and a token that may deploy. */
export class DaemonToKill implements AsyncDisposable {
  readonly dataDir: string;
  readonly #options: readonly string[];
  readonly #token: string;
  #daemon: DaemonProcess | undefined;

  static async begin(options: readonly string[] = []): Promise<DaemonToKill> {
    const dataDir = await newDataDir();
    const catalog = await writeSmallCatalog(dataDir);
    const tokens = new AccessTokens(join(dataDir, 'tokens.json'), { log: createLogger('error'), now: systemNow });
    const { text } = await tokens.create({ name: null, scopes: ['deploy'], namespaces: null });
    const begun = new DaemonToKill(dataDir, ['--no-wake-up-on-start', '--catalog', catalog, ...options], text);
    await begun.next();
    return begun;
  }

  private constructor(dataDir: string, options: readonly string[], token: string) {
    this.dataDir = dataDir;
    this.#options = options;
    this.#token = token;
  }

  /** Starts the next daemon. */
  async next(): Promise<void> {
    this.#daemon = await startDaemonProcess(this.dataDir, this.#options);
  }

  /** Kills the daemon; its guardian ends first what would go on. */
  async kill(): Promise<void> {
    await this.#daemon?.kill();
  }

  /** Kills the guardian, then the daemon before it has another: the next daemon finds what would go on. */
  async killWithGuardian(): Promise<void> {
    for (const pid of await this.guardians()) signalProcess(pid, 'SIGKILL');
    await this.kill();
  }

  async guardians(): Promise<number[]> {
    return (await this.#daemon?.guardians()) ?? [];
  }

  /** Stops the daemon in order. @returns its exit code and its output */
  async stop(): Promise<{ readonly code: number | null | undefined; readonly said: string }> {
    this.#daemon?.process.kill('SIGTERM');
    return { code: await this.#daemon?.exited, said: this.#daemon?.said() ?? '' };
  }

  async children(): Promise<number[]> {
    return (await this.#daemon?.children()) ?? [];
  }

  /** @param body sent as JSON */
  ask(method: string, path: string, body?: object): Promise<Response> {
    return fetch(`${this.#daemon?.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json', ...ownConnection },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  /** @param name of an endpoint */
  endpoint(name: string): EndpointClient {
    return endpointClient(this.#daemon?.url ?? '', this.#token, name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
