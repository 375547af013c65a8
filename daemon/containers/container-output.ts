import { settlesWithin } from '../shared/async/settles-within.ts';
import { type Clock, sleepOn } from '../shared/clock.ts';
import { LineSplitter, type OnLine } from '../shared/processes/line-splitter.ts';
import type { EngineClient } from './engine-client.ts';

/** The wait before the output is read again, after its connection has ended. */
const AGAIN_MS = 1_000;
/** The longest wait for the last lines of a container that ended: Podman looks for its end a few times a second. */
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

const HEADER_BYTES = 8;
const STDERR = 2;

type OutputSinks = Readonly<Record<'stdout' | 'stderr', (bytes: Buffer) => void>>;

/**
 * Takes apart the output of a container: frames with a header of 8 bytes, the stream in the first and the length in the last
 * four. Nothing but a header is kept between chunks.
 *
 * dockerode's own function calls itself for each frame and copies the rest of the chunk: a program that prints a few
 * thousand short lines at once ends the process.
 */
export class OutputFrames {
  readonly #sinks: OutputSinks;
  #header = Buffer.alloc(0);
  #left = 0;
  #isStderr = false;

  constructor(sinks: OutputSinks) {
    this.#sinks = sinks;
  }

  write(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) {
      rest = this.#left > 0 ? this.#payload(rest) : this.#readHeader(rest);
    }
  }

  #payload(bytes: Buffer): Buffer {
    const part = bytes.subarray(0, this.#left);
    this.#left -= part.length;
    (this.#isStderr ? this.#sinks.stderr : this.#sinks.stdout)(part);
    return bytes.subarray(part.length);
  }

  #readHeader(bytes: Buffer): Buffer {
    const missing = HEADER_BYTES - this.#header.length;
    this.#header = Buffer.concat([this.#header, bytes.subarray(0, missing)]);
    if (this.#header.length === HEADER_BYTES) {
      this.#isStderr = this.#header[0] === STDERR;
      this.#left = this.#header.readUInt32BE(4);
      this.#header = Buffer.alloc(0);
    }
    return bytes.subarray(missing);
  }
}
