import type { AnswerRecording } from './answer-recording.ts';
import type { KeptAnswer } from './kept-answer.ts';
import type { RequestKey } from './request-key.ts';

/** The kept answers, by the keys of their requests. */
export interface KeptAnswers {
  readonly find: (key: string) => Promise<KeptAnswer | null>;
  readonly keep: (key: string, answer: KeptAnswer) => void;
}

/** The part of the cache in one request: first its body, then `find`, then the recording of its answer. */
export class CachedRequest {
  readonly #key: RequestKey;
  readonly #kept: KeptAnswers;
  #keyText = '';
  /** Watches the answer, if none was found. */
  readonly recording: AnswerRecording;

  constructor(key: RequestKey, recording: AnswerRecording, kept: KeptAnswers) {
    this.#key = key;
    this.#kept = kept;
    this.recording = recording;
  }

  /** Gets each piece of the body. */
  readonly addBody = (chunk: Buffer): void => this.#key.addBody(chunk);

  /** The kept answer to the request, once it has arrived whole; null: none. */
  find(): Promise<KeptAnswer | null> {
    this.#keyText = this.#key.end();
    return this.#kept.find(this.#keyText);
  }

  /** All of the answer has passed: it is kept, if it may be. */
  keep(): void {
    const answer = this.recording.whole();
    if (answer) this.#kept.keep(this.#keyText, answer);
  }

  /** The request is over. */
  end(): void {
    this.recording.drop();
  }
}
