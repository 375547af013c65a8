import { currentEntry, type HistoryEntry, nameEntry } from './history-entry.ts';

/** Where the user was in an entry of the history. */
interface Place {
  readonly scrollTop: number;
  /** The address of the link that had the focus when the user left. */
  readonly link: string | null;
}

const STORED_AS = 'places';
/** Older places are forgotten. */
const MAX_PLACES = 100;
/** The longest wait for a list to be as long as it was. */
const RESTORE_MS = 10_000;
/** The user took over. */
const userInput = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/**
 * Remembers how far the page was scrolled, and which link led away, for each entry of the history; Back, Forward and a reload
 * come back there, once the content is long enough.
 */
export class ScrollMemory {
  readonly #scroller: HTMLElement;
  readonly #places: Map<string, Place>;
  #entry: HistoryEntry;
  #href = window.location.hash;
  /** Whether the entry was reached by Back, Forward or a reload. */
  #returned: boolean;
  #restoring = 0;

  constructor(scroller: HTMLElement) {
    this.#scroller = scroller;
    this.#places = readPlaces();
    const entry = currentEntry();
    this.#returned = entry !== null;
    this.#entry = entry ?? nameEntry(null);
  }

  /** Starts to watch. @returns what ends it */
  start(): () => void {
    const stop = new AbortController();
    const { signal } = stop;
    // Both: browsers differ in which of them a link within the page fires.
    for (const type of ['popstate', 'hashchange']) window.addEventListener(type, () => this.#moved(), { signal });
    for (const type of userInput)
      this.#scroller.addEventListener(type, () => this.#giveUp(), { signal, passive: true });
    this.#scroller.addEventListener('scroll', () => this.#restoring === 0 && this.#keep(), { signal, passive: true });
    window.addEventListener('pagehide', () => writePlaces(this.#places), { signal });
    if (this.#returned) this.#restore();
    return () => {
      stop.abort();
      this.#giveUp();
    };
  }

  /** Scrolls a page that has just been shown: to its start, or back to where the user was. */
  arrive(): void {
    if (this.#returned) this.#restore();
    else this.#scroller.scrollTop = 0;
  }

  #moved(): void {
    const entry = currentEntry();
    if (entry?.key !== this.#entry.key) {
      this.#giveUp();
      this.#keep(document.activeElement?.getAttribute('href') ?? null);
      this.#returned = entry !== null;
      this.#entry = entry ?? this.#newEntry();
      if (this.#returned) this.#restore();
    }
    this.#href = window.location.hash;
  }

  /** Names the entry that the user has come to. Another tab of a page is an entry of that page. */
  #newEntry(): HistoryEntry {
    const isSamePage = pathOf(this.#href) === pathOf(window.location.hash);
    const { from, steps } = this.#entry;
    return isSamePage ? nameEntry(from, steps + 1) : nameEntry(this.#href);
  }

  /** Keeps the place. The position when the user leaves is the last one that was kept: the new page may be shown already. */
  #keep(link?: string | null): void {
    const { key } = this.#entry;
    const scrollTop = link === undefined ? this.#scroller.scrollTop : (this.#places.get(key)?.scrollTop ?? 0);
    this.#places.delete(key);
    this.#places.set(key, { scrollTop, link: link ?? null });
    const [oldest] = this.#places.keys();
    if (this.#places.size > MAX_PLACES && oldest !== undefined) this.#places.delete(oldest);
  }

  #restore(): void {
    this.#giveUp();
    const place = this.#places.get(this.#entry.key);
    if (!place) return;
    const endsAt = performance.now() + RESTORE_MS;
    const step = () => {
      this.#scroller.scrollTop = place.scrollTop;
      const isThere = Math.abs(this.#scroller.scrollTop - place.scrollTop) < 2;
      if (!isThere && performance.now() < endsAt) {
        this.#restoring = requestAnimationFrame(step);
        return;
      }
      this.#restoring = 0;
      if (isThere && place.link !== null) linkTo(this.#scroller, place.link)?.focus({ preventScroll: true });
    };
    // Not before the page is shown, which moves the focus to its heading.
    this.#restoring = requestAnimationFrame(step);
  }

  #giveUp(): void {
    cancelAnimationFrame(this.#restoring);
    this.#restoring = 0;
  }
}

const pathOf = (hash: string) => hash.split('?')[0];

const linkTo = (scroller: HTMLElement, href: string) =>
  [...scroller.querySelectorAll<HTMLAnchorElement>('a[href]')].find((link) => link.getAttribute('href') === href);

function readPlaces(): Map<string, Place> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(STORED_AS) ?? '[]') as [string, Place][]);
  } catch {
    return new Map();
  }
}

function writePlaces(places: ReadonlyMap<string, Place>): void {
  try {
    sessionStorage.setItem(STORED_AS, JSON.stringify([...places]));
  } catch {
    // Without storage, a reload starts at the top.
  }
}
