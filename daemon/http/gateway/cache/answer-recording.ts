import type { ServerResponse } from 'node:http';
import type { AnswerWatcher } from '../messages/answer-watcher.ts';
import type { AnswerHeaders } from '../messages/response-headers.ts';
import { answerMayBeKept } from './cache-rules.ts';
import { type KeptAnswer, keptHeaders } from './kept-answer.ts';

/** The largest answer that is kept, as the specification has it. */
export const MAX_ANSWER_BYTES = 1024 * 1024;
/** An answer may arrive in tiny pieces: the memory that each takes beside its bytes, rounded up. */
const PIECE_BYTES = 256;

/** The memory that answers take while they arrive. */
export class RecordingMemory {
  readonly #mostBytes: number;
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** @returns whether there is room */
  hold(bytes: number): boolean {
    if (this.#bytes + bytes > this.#mostBytes) return false;
    this.#bytes += bytes;
    return true;
  }

  free(bytes: number): void {
    this.#bytes -= bytes;
  }
}

/** Copies an answer while it passes, if it may be kept. One that is too large, or finds no room, is passed on all the same. */
export class AnswerRecording implements AnswerWatcher {
  readonly #memory: RecordingMemory;
  readonly #keep: (answer: KeptAnswer) => void;
  #headers: KeptAnswer['headers'] | null = null;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #heldBytes = 0;

  constructor(memory: RecordingMemory, keep: (answer: KeptAnswer) => void) {
    this.#memory = memory;
    this.#keep = keep;
  }

  head(status: number, response: ServerResponse, headers: AnswerHeaders): void {
    if (answerMayBeKept(status, headers)) this.#headers = keptHeaders(response);
  }

  data(chunk: Buffer): void {
    if (!this.#headers) return;
    const heldBytes = chunk.length + PIECE_BYTES;
    if (this.#bytes + chunk.length > MAX_ANSWER_BYTES || !this.#memory.hold(heldBytes)) {
      this.drop();
      return;
    }
    this.#heldBytes += heldBytes;
    this.#bytes += chunk.length;
    this.#pieces.push(chunk);
  }

  /** All of the answer has passed: it is kept, if it may be. */
  keep(): void {
    if (!this.#headers) return;
    // Memory of its own: a buffer of the pool would hold the memory of its neighbours too.
    const body = Buffer.allocUnsafeSlow(this.#bytes);
    let at = 0;
    for (const piece of this.#pieces) at += piece.copy(body, at);
    this.#keep({ headers: this.#headers, body });
  }

  /** Frees its memory, and records no more. */
  drop(): void {
    this.#memory.free(this.#heldBytes);
    this.#heldBytes = 0;
    this.#pieces = [];
    this.#headers = null;
  }
}
