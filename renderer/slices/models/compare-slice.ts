import type { SetState } from '../base/slice.ts';

/** A model or a recipe to compare. */
export interface ComparedId {
  /** `author/name`. */
  readonly repoId: string;
  /** Of the recipe; null: the model with its best recipe. */
  readonly publicId: string | null;
}

interface CompareState {
  /** The models and recipes that the user collected to compare, at most `MAX_COMPARED`, the first one first; see `comparedKey`. */
  readonly compared: readonly string[];
}

export const MAX_COMPARED = 3;

/** `author/name`, of a recipe with its id behind another slash. */
export const comparedKey = ({ repoId, publicId }: ComparedId): string =>
  publicId === null ? repoId : `${repoId}/${publicId}`;

/** @returns null for what no key looks like */
export function parseComparedKey(key: string): ComparedId | null {
  const { repoId, publicId = null } = /^(?<repoId>[^/]+\/[^/]+)(?:\/(?<publicId>.+))?$/s.exec(key)?.groups ?? {};
  return repoId === undefined ? null : { repoId, publicId };
}

/** The keys as one value of an address, parted by commas. */
export const comparedText = (keys: readonly string[]): string =>
  keys.map((key) => key.replaceAll(/[%,]/g, encodeURIComponent)).join(',');

/** Ignores what is invalid or too much, since an address is user input. */
export function parseCompared(text: string): readonly string[] {
  return usable(text.split(',').map(decoded));
}

const usable = (keys: readonly unknown[]): readonly string[] =>
  [...new Set(keys)]
    .filter((key) => typeof key === 'string' && key.length <= 500 && parseComparedKey(key) !== null)
    .slice(0, MAX_COMPARED) as string[];

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** The collection lasts as long as the tab of the browser: a comparison itself is an address. */
const STORED = 'robot-desktop.compared';

export type CompareSlice = ReturnType<typeof createCompareSlice>;

export const createCompareSlice = (set: SetState<CompareState>) => ({
  compared: load(),
  /** Adds it, or removes it if it is there. Does nothing when there is no room. */
  toggleCompared: (key: string) =>
    set(({ compared }) => {
      if (compared.includes(key)) return { compared: save(compared.filter((each) => each !== key)) };
      return compared.length < MAX_COMPARED ? { compared: save([...compared, key]) } : {};
    }),
  setCompared: (keys: readonly string[]) => set({ compared: save(usable(keys)) }),
});

function load(): readonly string[] {
  try {
    const keys: unknown = JSON.parse(sessionStorage.getItem(STORED) ?? '[]');
    return Array.isArray(keys) ? usable(keys) : [];
  } catch {
    return []; // no storage, or damaged
  }
}

function save(keys: readonly string[]): readonly string[] {
  try {
    sessionStorage.setItem(STORED, JSON.stringify(keys));
  } catch {
    // Without storage, the collection lasts until the page reloads.
  }
  return keys;
}
