/** The bytes at the end of an answer that are searched for its usage. */
const TAIL_BYTES = 2_048;
/** Beyond any answer: a model server that claims more is not believed. */
const MAX_TOKENS = 10_000_000;

const NEWLINE = 0x0a;
/** The event by which model servers end a stream that they cannot go on with, as OpenAI's clients understand it. */
const ERROR_EVENT = /(?:^|\n)(?:data: ?\{\s*"error"\s*:\s*[{"]|event: ?error\b|error: ?\{)/;

/**
 * Counts the tokens of an answer while it passes: `completion_tokens` of the usage at its end, else the server-sent
 * events. Copies at most the last 2 kB.
 */
export class TokenCount {
  /** Whether its tokens come one after the other, and not at the end. */
  readonly isStream: boolean;
  readonly #tail = Buffer.alloc(TAIL_BYTES);
  #bytes = 0;
  #events = 0;
  #lastByte = NEWLINE;

  private constructor(isStream: boolean) {
    this.isStream = isStream;
  }

  /** @returns null for an answer that has no tokens: of another content type, or compressed */
  static of(contentType: string, contentEncoding: string | undefined): TokenCount | null {
    if (contentEncoding !== undefined && contentEncoding !== 'identity') return null;
    if (/^text\/event-stream\b/i.test(contentType)) return new TokenCount(true);
    return /^application\/json\b/i.test(contentType) ? new TokenCount(false) : null;
  }

  add(chunk: Buffer): void {
    if (chunk.length === 0) return;
    if (this.isStream) this.#events += eventsIn(chunk, this.#lastByte);
    this.#lastByte = chunk.at(-1) as number;
    const kept = chunk.subarray(-TAIL_BYTES);
    const start = (this.#bytes + chunk.length - kept.length) % TAIL_BYTES;
    const first = kept.copy(this.#tail, start);
    kept.copy(this.#tail, 0, first);
    this.#bytes += chunk.length;
  }

  /** The tokens of a stream so far, about: its server-sent events. */
  get soFar(): number {
    return this.#events;
  }

  /** The tokens of the whole answer; 0 for an answer that has no usage and is no stream. */
  total(): number {
    const found = [...this.#tailText().matchAll(/"completion_tokens"\s*:\s*(\d{1,9})\b/g)].at(-1);
    if (found) return Math.min(Number(found[1]), MAX_TOKENS);
    return this.isStream ? Math.max(0, this.#events - 1) : 0; // the last event is [DONE]
  }

  /** The milliseconds in which the tokens of an answer were generated, without its prompt: llama.cpp says so. null: unknown. */
  generatedMs(): number | null {
    const found = /"timings"\s*:\s*\{[^{}]*"predicted_ms"\s*:\s*(\d{1,12}(?:\.\d+)?)/.exec(this.#tailText());
    return found ? Number(found[1]) : null;
  }

  /** Whether it is a stream that its model server cut off with an error. */
  get isCut(): boolean {
    return this.isStream && ERROR_EVENT.test(this.#tailText());
  }

  #tailText(): string {
    const position = this.#bytes % TAIL_BYTES;
    if (this.#bytes <= TAIL_BYTES) return this.#tail.toString('latin1', 0, this.#bytes);
    return this.#tail.toString('latin1', position) + this.#tail.toString('latin1', 0, position);
  }
}

/** Counts the lines that begin with `data:`. One that is split between two chunks within that word is missed. */
function eventsIn(chunk: Buffer, before: number): number {
  let events = 0;
  for (let at = chunk.indexOf('data:'); at !== -1; at = chunk.indexOf('data:', at + 5)) {
    if ((at === 0 ? before : chunk[at - 1]) === NEWLINE) events += 1;
  }
  return events;
}
