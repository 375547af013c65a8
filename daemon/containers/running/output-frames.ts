const HEADER_BYTES = 8;
const STDERR = 2;

export interface OutputSinks {
  readonly stdout: (bytes: Buffer) => void;
  readonly stderr: (bytes: Buffer) => void;
}

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
