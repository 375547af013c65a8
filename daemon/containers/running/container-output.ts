import { settlesWithin } from '../../shared/async/settles-within.ts';
import { type Clock, sleepOn } from '../../shared/clock.ts';
import { LineSplitter, type OnLine } from '../../shared/processes/line-splitter.ts';
import type { EngineClient } from '../engine-client.ts';
import { OutputFrames } from './output-frames.ts';

/** The wait before the output is read again, after its connection has ended. */
const AGAIN_MS = 1_000;
/** How long the last lines of a container that ended may take: Podman looks for its end a few times a second. */
const LAST_LINES_MS = 1_500;

/** Reads the output of a container line by line, and goes on after its engine was away. */
export class ContainerOutput {
  readonly #clock: Clock;
  readonly #client: EngineClient;
  readonly #id: string;
  readonly #onLine: OnLine;
  readonly #ending = new AbortController();
  /** The connection that reads now; null: none. */
  #reading: Promise<void> | null = null;

  constructor(clock: Clock, client: EngineClient, id: string, onLine: OnLine) {
    this.#clock = clock;
    this.#client = client;
    this.#id = id;
    this.#onLine = onLine;
    void this.#read();
  }

  /** Reads the rest of the output of a container that has ended. Never rejects; takes at most 1.5 s. */
  async end(): Promise<void> {
    if (this.#reading) await settlesWithin(this.#clock, LAST_LINES_MS, this.#reading);
    this.#ending.abort();
  }

  async #read(): Promise<void> {
    let sinceSeconds = 0;
    const { signal } = this.#ending;
    while (!signal.aborted) {
      this.#reading = this.#readOnce(sinceSeconds, signal).catch(() => {}); // its engine is away, or the container is gone
      await this.#reading;
      this.#reading = null;
      sinceSeconds = this.#clock.now().getTime() / 1000;
      await sleepOn(this.#clock, AGAIN_MS, signal).catch(() => {});
    }
  }

  async #readOnce(since: number, signal: AbortSignal): Promise<void> {
    const what = { follow: true, stdout: true, stderr: true, since } as const;
    const reply = await this.#client.stream(signal, (docker, abortSignal) =>
      docker.getContainer(this.#id).logs({ ...what, abortSignal }),
    );
    const [stdout, stderr] = [new LineSplitter(this.#onLine), new LineSplitter(this.#onLine)];
    const frames = new OutputFrames({
      stdout: (bytes) => stdout.write(bytes),
      stderr: (bytes) => stderr.write(bytes),
    });
    reply.on('data', (chunk: Buffer) => frames.write(chunk));
    await new Promise((resolve) => reply.once('close', resolve));
    stdout.end();
    stderr.end();
  }
}
