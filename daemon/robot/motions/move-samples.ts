import { TargetPart } from '../../contract/robot/robot.ts';
import { MAX_MOVE_S, MAX_MOVE_SAMPLES, type SdkMoveSamples } from '../../contract/robot/sdk.ts';
import type { DomainError } from '../../shared/domain-error.ts';
import { quaternionOf } from '../kinematics/quaternion.ts';
import { MalformedMove } from './errors.ts';
import { partsOf } from './posture.ts';
import { HEAD_NUMBERS, RecordedMove } from './recorded-move.ts';

/** Samples of a move; a part is null if the move does not move it. */
export type NewSamples = Omit<SdkMoveSamples, 'type' | 'move'>;

const fields = { head: 'heads', antennas: 'antennas', bodyYaw: 'bodyYaws' } as const;
const width: Readonly<Record<TargetPart, number>> = { head: HEAD_NUMBERS, antennas: 2, bodyYaw: 1 };

/** Collects the samples of a move, and checks them. */
export class MoveSamples {
  readonly #timesS: Float64Array[] = [];
  readonly #values: Record<TargetPart, Float64Array[]> = { head: [], antennas: [], bodyYaw: [] };
  #parts: readonly TargetPart[] | null = null;
  #count = 0;
  #lastS = 0;

  /** Adds samples after those that are there. @throws MalformedMove; TargetUnreachable when a head is no pose */
  append(samples: NewSamples): void {
    const { timesS } = samples;
    const parts = TargetPart.options.filter((part) => samples[fields[part]] !== null);
    this.#parts ??= parts;
    if (parts.join() !== this.#parts.join()) throw new MalformedMove('All samples of a move must have the same parts.');
    for (const part of parts) {
      if (samples[fields[part]]?.length !== timesS.length) {
        throw new MalformedMove(`A move needs as many ${fields[part]} as times.`);
      }
    }
    this.#checkTimes(timesS);
    if (this.#count + timesS.length > MAX_MOVE_SAMPLES) {
      throw new MalformedMove(`A move can have ${MAX_MOVE_SAMPLES} samples.`);
    }
    this.#count += timesS.length;
    this.#timesS.push(Float64Array.from(timesS));
    for (const part of parts) this.#values[part].push(numbersOf(part, samples));
  }

  /** The move of the collected samples. @throws MalformedMove when there are none */
  finished(): RecordedMove {
    if (this.#count === 0) throw new MalformedMove('A move needs at least one sample.');
    const joined = (part: TargetPart) =>
      this.#parts?.includes(part) ? concatenated(this.#values[part], this.#count * width[part]) : null;
    return new RecordedMove({
      timesS: concatenated(this.#timesS, this.#count),
      heads: joined('head'),
      antennas: joined('antennas'),
      bodyYaws: joined('bodyYaw'),
    });
  }

  #checkTimes(timesS: readonly number[]): void {
    if (this.#count === 0 && timesS[0] !== 0) throw new MalformedMove('The first sample of a move must be at 0 s.');
    for (const timeS of timesS) {
      if (!(timeS >= this.#lastS)) throw new MalformedMove('The times of a move must not fall.');
      if (timeS > MAX_MOVE_S) throw new MalformedMove(`A move can take ${MAX_MOVE_S} s.`);
      this.#lastS = timeS;
    }
  }
}

function numbersOf(part: TargetPart, { heads, antennas, bodyYaws }: NewSamples): Float64Array {
  if (part === 'bodyYaw') return Float64Array.from(bodyYaws ?? []);
  if (part === 'antennas') return Float64Array.from((antennas ?? []).flat());
  return Float64Array.from(
    (heads ?? []).flatMap((given) => {
      const head = partsOf({ head: given }).head ?? given;
      return [...quaternionOf(head), ...[3, 7, 11].map((index) => head[index] ?? 0)];
    }),
  );
}

function concatenated(chunks: readonly Float64Array[], length: number): Float64Array {
  const all = new Float64Array(length);
  let end = 0;
  for (const chunk of chunks) {
    all.set(chunk, end);
    end += chunk.length;
  }
  return all;
}

/** The recorded moves that a program sends before it plays them, one at a time. */
export class MoveUpload {
  #upload: { readonly name: string; readonly samples: MoveSamples } | null = null;
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
