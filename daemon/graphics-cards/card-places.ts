import type { CardProblem } from '../contract/compute/graphics-cards.ts';
import { KeyedMutex } from '../shared/async/mutex.ts';
import { cardProblem } from './card-problems.ts';
import { type GraphicsCards, type KnownCard, SELECTS_CARD } from './graphics-cards.ts';
import type { CompiledShaders } from './shader-cache.ts';

/** A place for one model on a card, from its start to its end. */
export interface CardPlace {
  readonly card: KnownCard;
  /** The memory that it may take: what is free, and what no other model of this daemon holds. */
  readonly freeBytes: number;
  /** Select the card for a program. */
  readonly variables: Readonly<Record<string, string>>;
  /** The programs that the driver of the card has compiled. */
  readonly compiled: Pick<CompiledShaders, 'has' | 'add'>;
  /** The model is loaded: the next one may be measured for. @param heldBytes returns the memory of the card that it holds */
  loaded(heldBytes: () => number): void;
  /** It is gone. */
  ended(): void;
}

interface CardPlacesDeps {
  readonly cards: Pick<GraphicsCards, 'find' | 'measure'>;
  /** The programs that the driver of the cards has compiled. */
  readonly compiled: () => Promise<CompiledShaders>;
}

/**
 * Gives models their places on the graphics cards. On each card one starts after the other: how much memory is free shows
 * once a model is loaded, so two that start at once could both count the same.
 */
export class CardPlaces {
  readonly #deps: CardPlacesDeps;
  readonly #starts = new KeyedMutex();
  readonly #held = new Map<CardPlace, () => number>();

  constructor(deps: CardPlacesDeps) {
    this.#deps = deps;
  }

  /**
   * Waits until no other model starts on the card, and measures its memory. The next one waits for `loaded` or `ended`.
   * @param wanted the card's index; null: the one with the most memory
   * @param onWait called when another one starts there, and again with false once it has
   * @returns the place, or why there is none
   * @throws the reason of the signal
   */
  async take(
    wanted: number | null,
    signal: AbortSignal,
    onWait: (waits: boolean) => void = () => {},
  ): Promise<CardPlace | CardProblem> {
    const chosen = await this.#choose(wanted);
    if ('kind' in chosen) return chosen;
    const { index } = chosen;
    const key = String(index);
    const waits = this.#starts.isLocked(key);
    if (waits) onWait(true);
    const done = await this.#starts.acquire(key, signal);
    if (waits) onWait(false);
    try {
      const place = await this.#place(index, done);
      if ('kind' in place) done();
      return place;
    } catch (error) {
      done();
      throw error;
    }
  }

  /** The free memory of a card as it was measured. A driver that does not measure reports all memory as free. */
  freeBytes({ index, totalBytes, freeBytes }: KnownCard): number {
    const held = [...this.#held].filter(([{ card }]) => card.index === index).map(([, heldBytes]) => heldBytes());
    return Math.max(0, Math.min(freeBytes, totalBytes - held.reduce((sum, bytes) => sum + bytes, 0)));
  }

  async #choose(wanted: number | null): Promise<KnownCard | CardProblem> {
    const { isOn, cards, problem } = await this.#deps.cards.find();
    if (!isOn) return cardProblem('switched-off'); // while the model was downloaded, or this one waited
    if (problem) return problem;
    const chosen = chooseCard(cards, wanted);
    if (chosen !== null) return chosen;
    const has = cards.length === 1 ? 'only the card 0' : `the cards 0 to ${cards.length - 1}`;
    return cards.length === 0
      ? cardProblem('no-card')
      : cardProblem('no-such-card', `${wanted}: this machine has ${has}`);
  }

  async #place(index: number, done: () => void): Promise<CardPlace | CardProblem> {
    const { cards } = this.#deps;
    const chosen = await this.#choose(index); // it may have failed while this one waited
    if ('kind' in chosen) return chosen;
    const card = await cards.measure(chosen);
    if ('kind' in card) return card;
    const { selector } = card;
    const freeBytes = this.freeBytes(card);
    if (freeBytes === 0) return cardProblem('no-memory');
    const compiled = await this.#deps.compiled();
    const place: CardPlace = {
      ...{ card, freeBytes, compiled },
      variables: { ...compiled.variables, ...(selector !== null && { [SELECTS_CARD]: selector }) },
      loaded: (heldBytes) => {
        this.#held.set(place, heldBytes);
        done();
      },
      ended: () => {
        this.#held.delete(place);
        done();
      },
    };
    return place;
  }
}

/** The card that an endpoint uses. @returns null: there is none */
function chooseCard(cards: readonly KnownCard[], wanted: number | null): KnownCard | null {
  if (wanted !== null) return cards.find(({ index }) => index === wanted) ?? null;
  return cards.toSorted((a, b) => b.totalBytes - a.totalBytes)[0] ?? null;
}
