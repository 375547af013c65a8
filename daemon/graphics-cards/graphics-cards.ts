import * as z from 'zod';
import { CardProblem, GraphicsCard } from '../contract/compute/graphics-cards.ts';
import { Mutex } from '../shared/async/mutex.ts';
import { readPastRecords, writeJsonFile } from '../shared/files/json-file.ts';
import type { Logger } from '../shared/logger.ts';
import { askRunner, type ListedCards, type RunnerDeps } from './ask-runner.ts';
import { cardProblem, whyNoCard } from './card-problems.ts';

/** The variable that selects a card for llama.cpp, by its number in the driver's list. */
export const SELECTS_CARD = 'GGML_VK_VISIBLE_DEVICES';
/** A change of the driver is noticed within this time: searches of models ask for the cards each time. */
const KEY_MS = 10_000;
/** The most cards that are looked for, software ones among them. */
const MAX_CARDS = 16;
/** Of a machine without a graphics card they are no problem. */
const IF_THERE_IS_ONE: ReadonlySet<CardProblem['kind']> = new Set(['no-loader', 'no-driver', 'not-included']);

/** A card, and how a program selects it. */
export const KnownCard = GraphicsCard.extend({
  /** The value of `SELECTS_CARD`; null: it is the only one, or `device` selects it. */
  selector: z.string().nullable(),
  /** The name that llama-server has for a card which that program alone knows, such as `Vulkan0`. */
  device: z.string().nullable().default(null),
});
export type KnownCard = z.infer<typeof KnownCard>;

/** The cards as of one look. */
const FoundCards = z.object({ cards: z.array(KnownCard), problem: CardProblem.nullable() });
export type FoundCards = z.infer<typeof FoundCards>;

/** The content of the file. */
export const StoredCards = z.object({
  isOn: z.boolean(),
  /** The cards and the problem found with a driver in one run of the system; null: nothing was looked for yet. */
  found: FoundCards.extend({ driver: z.string(), boot: z.string() }).nullable(),
  /** With this driver a card failed in use; null: none has. */
  failure: CardProblem.extend({ driver: z.string() }).nullable(),
});
type StoredCards = z.infer<typeof StoredCards>;

export interface GraphicsCardsDeps extends RunnerDeps {
  readonly file: string;
  /** The version of the bundled runner's library; null: it does not come with this installation. */
  readonly library: () => Promise<string | null>;
  /** See driver-key.ts. */
  readonly driverKey: (library: string, environment: Readonly<Record<string, string>>) => Promise<string>;
  /** Another text after each start of the system. */
  readonly boot: () => Promise<string>;
  readonly whyNoCard?: typeof whyNoCard;
  /** Those that the llama-server in use lists, where the runner has no library. @param mayLook whether one is looked for */
  readonly cardsOfServer?: (mayLook: boolean) => Promise<readonly KnownCard[]>;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

/**
 * The graphics cards that models can use. The bundled runner is asked for them at the first call, and again after a change
 * of driver, library or boot. A card that failed in use is left alone with that driver until `tryAgain`.
 */
export class GraphicsCards {
  readonly #deps: GraphicsCardsDeps;
  readonly #one = new Mutex();
  #stored: StoredCards | null = null;
  #measuring: Promise<CardProblem | null> | null = null;
  #key: { readonly library: string; readonly atMs: number; readonly driver: Promise<string> } | null = null;

  constructor(deps: GraphicsCardsDeps) {
    this.#deps = deps;
  }

  /** Whether models may use the cards, as the user has set it. */
  async isOn(): Promise<boolean> {
    return (await this.#read()).isOn;
  }

  /** @throws DiskFull, DataFolderReadOnly */
  async switch(isOn: boolean): Promise<void> {
    await this.#one.run(async () => this.#save({ ...(await this.#read()), isOn }));
  }

  /**
   * The cards, with the memory that was free when they were looked for. Without a card that models may use now it says why;
   * a problem of null: this machine has none. While they are switched off no driver is loaded: those of the last look.
   */
  find(): Promise<FoundCards & { readonly isOn: boolean; readonly hasFailed: boolean }> {
    return this.#one.run(async () => ({ isOn: (await this.#read()).isOn, ...(await this.#found()) }));
  }

  /** The same as far as it is known, at once: no driver is asked. Without a look since its last change there is no card. */
  async known(): Promise<FoundCards & { readonly isOn: boolean; readonly hasFailed: boolean }> {
    return { isOn: (await this.#read()).isOn, ...(await this.#found({ mayLook: false })) };
  }

  async #found({ mayLook } = { mayLook: true }): Promise<FoundCards & { readonly hasFailed: boolean }> {
    const ofRunner = await this.#ofRunner(mayLook);
    if (ofRunner.problem?.kind !== 'not-included') return ofRunner;
    const cards = [...((await this.#deps.cardsOfServer?.(mayLook)) ?? [])];
    return { ...ofRunner, cards, problem: cards.length > 0 ? null : await this.#problemOf(ofRunner.problem) };
  }

  async #ofRunner(mayLook: boolean): Promise<FoundCards & { readonly hasFailed: boolean }> {
    const stored = await this.#read();
    const library = await this.#deps.library();
    const [driver, boot] = await Promise.all([this.#driver(library ?? ''), this.#deps.boot()]);
    const { found: known, isOn } = stored;
    const failure = failureWith(driver, stored);
    if (failure) return { cards: known?.cards ?? [], problem: failure, hasFailed: true };
    if (library === null) return { cards: [], problem: cardProblem('not-included'), hasFailed: false };
    if (known?.driver === driver && (known.boot === boot || !isOn)) {
      return { cards: known.cards, problem: known.problem, hasFailed: false };
    }
    if (!isOn || !mayLook) return { cards: [], problem: null, hasFailed: false };
    const found = await this.#look();
    if (found.problem && found.problem.kind !== 'not-included') this.#deps.log.warn(found.problem.message);
    const next = { ...stored, found: { ...found, driver, boot } };
    // It says nothing about the driver: the next daemon looks again.
    if (found.problem?.kind === 'interrupted') this.#stored = next;
    else await this.#saveLater(next);
    return { ...found, hasFailed: false };
  }

  /**
   * Measures the free memory of a card. One that only llama-server knows is not measured.
   * @returns the card as it is now, or why it cannot be used. Never rejects
   */
  async measure(card: KnownCard): Promise<KnownCard | CardProblem> {
    if (card.device !== null) return card;
    const listed = await this.#ask(card.selector);
    if ('kind' in listed) {
      if (listed.kind === 'driver-crashed') await this.failed(listed);
      return listed;
    }
    const same = listed.cards.some(({ name }) => name === card.name);
    if (!same) return cardProblem('card-lost');
    const measured = { ...card, totalBytes: listed.totalBytes, freeBytes: listed.freeBytes };
    this.#remember(measured);
    return measured;
  }

  /**
   * Measures the free memory of all cards, unless they are switched off. A call while they are measured joins that.
   * One that does not answer keeps what it had.
   * @returns why none answered; null: one did, or none was asked
   */
  measureAll(): Promise<CardProblem | null> {
    this.#measuring ??= this.#measureEach().finally(() => {
      this.#measuring = null;
    });
    return this.#measuring;
  }

  async #measureEach(): Promise<CardProblem | null> {
    const { isOn, cards, problem } = await this.find();
    if (!isOn || problem !== null) return null;
    let first: CardProblem | null = null;
    let answers = 0;
    for (const card of cards) {
      const measured = await this.measure(card);
      if ('kind' in measured) first ??= measured;
      else answers += 1;
      if ('kind' in measured && measured.kind === 'driver-silent') break; // the next ones would take as long
    }
    return answers > 0 ? null : first;
  }

  /** Not saved: after another start of the daemon it is measured again. */
  #remember(measured: KnownCard): void {
    const { found } = this.#stored ?? {};
    if (!this.#stored || !found) return;
    const cards = found.cards.map((card) => (card.index === measured.index ? measured : card));
    this.#stored = { ...this.#stored, found: { ...found, cards } };
  }

  /** A card failed in use: none is used with this driver until `tryAgain`. Never rejects. */
  async failed(problem: CardProblem): Promise<void> {
    const { library, log } = this.#deps;
    log.warn(`${problem.message} Models run on the processor until someone tries the graphics card again.`);
    await this.#one.run(async () => {
      const driver = await this.#driver((await library()) ?? '');
      await this.#saveLater({ ...(await this.#read()), failure: { ...problem, driver } });
    });
  }

  /** Forgets failures, and looks for the cards unless they are switched off. @throws DiskFull, DataFolderReadOnly */
  async tryAgain(): Promise<void> {
    await this.#one.run(async () => {
      const stored = await this.#read();
      await this.#save({ ...stored, found: stored.isOn ? null : stored.found, failure: null });
    });
    this.#key = null;
    await this.find();
  }

  #driver(library: string): Promise<string> {
    const { driverKey, childEnvironment, clock } = this.#deps;
    const nowMs = clock.elapsedMs();
    if (this.#key?.library !== library || nowMs - this.#key.atMs > KEY_MS) {
      this.#key = { library, atMs: nowMs, driver: driverKey(library, childEnvironment()) };
    }
    return this.#key.driver;
  }

  async #look(): Promise<FoundCards> {
    const listed = await this.#ask(null);
    if ('kind' in listed) {
      const isNotIncluded = listed.kind === 'not-included'; // then a llama-server may know the cards
      return { cards: [], problem: isNotIncluded ? listed : await this.#problemOf(listed) };
    }
    const { api, cards, totalBytes, freeBytes } = listed;
    const [only] = cards;
    if (api === false) return { cards: [], problem: cardProblem('not-included') };
    if (only === undefined) {
      const why = await this.#whyNoCard();
      return { cards: [], problem: why === 'unknown' ? null : why };
    }
    if (cards.length === 1) {
      return {
        cards: [{ index: 0, api, ...only, totalBytes, freeBytes, selector: null, device: null }],
        problem: null,
      };
    }
    const found = await this.#oneByOne(listed);
    const problem = found.length > 0 ? null : cardProblem('driver-failed', 'None of the cards answers alone.');
    return { cards: found, problem };
  }

  /** The runner knows the memory of all its cards together: each is asked for alone, by its number in the driver's list. */
  async #oneByOne({ cards }: ListedCards): Promise<KnownCard[]> {
    const set = this.#deps.childEnvironment()[SELECTS_CARD];
    const selectors = set?.split(',') ?? Array.from({ length: MAX_CARDS }, (_, index) => String(index));
    const missing = [...cards];
    const found: KnownCard[] = [];
    for (const selector of selectors) {
      if (missing.length === 0) break;
      const one = await this.#ask(selector);
      if ('kind' in one && one.kind === 'driver-silent') break; // the next ones would take as long
      if ('kind' in one || one.api === false) continue;
      const { api, totalBytes, freeBytes } = one;
      const [card] = one.cards;
      const at = missing.findIndex(({ name, driver }) => name === card?.name && driver === card.driver);
      if (card === undefined || at === -1) continue; // a software card, which only who names it gets
      missing.splice(at, 1);
      found.push({ index: found.length, api, ...card, totalBytes, freeBytes, selector, device: null });
    }
    return found;
  }

  #ask(selector: string | null): Promise<ListedCards | CardProblem> {
    return askRunner(this.#deps, selector === null ? {} : { [SELECTS_CARD]: selector });
  }

  /** Without a card there is nothing that a loader, a driver or a program could be missing for. */
  async #problemOf(problem: CardProblem): Promise<CardProblem | null> {
    if (!IF_THERE_IS_ONE.has(problem.kind)) return problem;
    const why = await this.#whyNoCard();
    if (why === 'unknown') return problem.kind === 'not-included' ? null : problem;
    return why?.kind === 'no-driver' ? problem : why;
  }

  #whyNoCard(): ReturnType<typeof whyNoCard> {
    return (this.#deps.whyNoCard ?? whyNoCard)();
  }

  async #read(): Promise<StoredCards> {
    const { file, log } = this.#deps;
    this.#stored ??= (await readPastRecords(file, StoredCards, log)) ?? { isOn: true, found: null, failure: null };
    return this.#stored;
  }

  async #save(stored: StoredCards): Promise<void> {
    await writeJsonFile(this.#deps.file, stored);
    this.#stored = stored;
  }

  /** Cards and failures that cannot be saved are known until the daemon ends. */
  async #saveLater(stored: StoredCards): Promise<void> {
    this.#stored = stored;
    await writeJsonFile(this.#deps.file, stored).catch((error: unknown) => {
      this.#deps.log.warn(`what is known of the graphics card could not be saved (${(error as Error).message})`);
    });
  }
}

/** Why a card failed in use with this driver; null: none has. */
function failureWith(current: string, { failure }: StoredCards): CardProblem | null {
  if (failure?.driver !== current) return null;
  const { driver: _, ...problem } = failure;
  return problem;
}
