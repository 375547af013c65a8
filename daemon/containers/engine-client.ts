import { Agent } from 'node:http';
import type { Readable } from 'node:stream';
import debug from 'debug';
import type Docker from 'dockerode';
import { deadline } from '../shared/async/deadline.ts';
import { lazy } from '../shared/async/lazy.ts';
import type { Clock } from '../shared/clock.ts';
import { ContainerEngineGone } from './errors.ts';
import type { EnginePlace } from './finding/engine-places.ts';

/** An engine answered a request with a refusal. */
export class EngineRefused extends Error {
  readonly status: number;

  /** @param text the engine's own, for developers in places */
  constructor(status: number, text: string) {
    super(text);
    this.status = status;
  }
}

/** Requests to an engine through dockerode, which is loaded at the first one. */
export class EngineClient {
  readonly #clock: Clock;
  readonly #label: string;
  readonly #docker: () => Promise<Docker>;

  /** @param label of the engine, for failures */
  constructor(clock: Clock, place: EnginePlace, label: string) {
    this.#clock = clock;
    this.#label = label;
    this.#docker = lazy(() => load(place));
  }

  /**
   * Makes a request with a short reply. The limit is watched here: dockerode never settles when a reply breaks off.
   * @throws ContainerEngineGone also after the limit; EngineRefused
   */
  async call<T>(limitMs: number, request: (docker: Docker, abortSignal: AbortSignal) => Promise<T>): Promise<T> {
    const docker = await this.#docker();
    using limit = deadline(this.#clock, limitMs, () => new ContainerEngineGone(this.#label));
    const { signal } = limit;
    const late = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    try {
      return await Promise.race([request(docker, signal), late]);
    } catch (error) {
      throw this.#translated(error);
    }
  }

  /**
   * Makes a request with a reply that takes its time.
   * @param signal ends the request and its reply
   * @throws ContainerEngineGone, EngineRefused, the reason of the signal
   */
  async stream(
    signal: AbortSignal,
    request: (docker: Docker, abortSignal: AbortSignal) => Promise<unknown>,
  ): Promise<Readable> {
    const docker = await this.#docker();
    signal.throwIfAborted();
    const reply = (await request(docker, signal).catch((error: unknown) => {
      throw signal.aborted ? signal.reason : this.#translated(error);
    })) as Readable;
    reply.on('error', () => {}); // its reader sees the close
    return reply;
  }

  #translated(error: unknown): Error {
    if (error instanceof ContainerEngineGone) return error;
    const { statusCode, json, message } = error as Error & { statusCode?: number; json?: { message?: unknown } };
    if (statusCode === undefined) return new ContainerEngineGone(this.#label);
    const text = typeof json?.message === 'string' ? json.message : message.replace(/^\(HTTP code \d+\) .*? - /, '');
    return new EngineRefused(statusCode, text.trim());
  }
}

/** Makes a request for which the library has no function that takes a signal, or none with its reply as a stream. */
export function dial(
  { modem }: Docker,
  request: { path: string; method: string; abortSignal: AbortSignal; isStream?: boolean },
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    modem.dial({ ...request, statusCodes: { 200: true } }, (error, reply) => (error ? reject(error) : resolve(reply)));
  });
}

/**
 * The library reads DOCKER_HOST and its relatives where an option is not given, and prefers a host of theirs to our socket:
 * each one is given.
 */
async function load(place: EnginePlace): Promise<Docker> {
  const { default: Dockerode } = await import('dockerode');
  debug.enable(`${debug.disable()},-modem`); // with DEBUG=* the library prints requests, accounts included
  const { socketPath, host, port } = { socketPath: undefined, host: undefined, port: undefined, ...place };
  return new Dockerode({
    ...{ socketPath, host, port, protocol: 'http', pathPrefix: '/' },
    ...{ ca: undefined, cert: undefined, key: undefined, timeout: undefined },
    // An engine that restarts leaves connections that look alive.
    agent: new Agent({ keepAlive: false }),
  } as Docker.DockerOptions);
}
