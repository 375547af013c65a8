import type { SdkMoveSamples } from '../contract/robot/sdk.ts';
import type { DomainError } from '../shared/domain-error.ts';
import { MalformedMove } from './motions/errors.ts';
import { MoveSamples } from './motions/move-samples.ts';
import type { RecordedMove } from './motions/recorded-move.ts';

/** The recorded move that a program is sending. */
interface Upload {
  readonly name: string;
  readonly samples: MoveSamples;
}

/** The recorded moves that a program sends before it plays them, one at a time. */
export class MoveUpload {
  #upload: Upload | null = null;
  /** Why the upload was refused; null: it was not. */
  #refusal: DomainError | null = null;

  /**
   * Adds samples. Another name than that of the last samples begins another upload. Samples of a refused one are ignored.
   * @throws MalformedMove, TargetUnreachable
   */
  append({ move, ...samples }: SdkMoveSamples): void {
    if (this.#upload?.name !== move) this.#begin(move);
    if (this.#refusal) return;
    try {
      this.#upload?.samples.append(samples);
    } catch (error) {
      this.#begin(move, error as DomainError);
      throw error;
    }
  }

  /** Refuses the upload of samples that are malformed, so that the move is not played without them. */
  refuse(message: unknown, reason: string): void {
    const { type, move } = (message ?? {}) as Partial<SdkMoveSamples>;
    if (type === 'move_samples' && typeof move === 'string') this.#begin(move, new MalformedMove(reason));
  }

  /** The complete move, which is forgotten. @throws MalformedMove, TargetUnreachable when it was refused or is not there */
  take(name: string): RecordedMove {
    const [upload, refusal] = [this.#upload, this.#refusal];
    if (upload?.name !== name) throw new MalformedMove('The samples of this move were not sent, or were discarded.');
    this.#upload = null;
    this.#refusal = null;
    if (refusal) throw refusal;
    return upload.samples.finished();
  }

  #begin(name: string, refusal: DomainError | null = null): void {
    this.#upload = { name, samples: new MoveSamples() };
    this.#refusal = refusal;
  }
}
