/** The drawn tile of a name: the same for the same name, on every machine. */
interface TileLook {
  /** At most two, as they are read; none for a name without letters and digits. */
  readonly letters: readonly string[];
  /** The number of a tint in tile.css. */
  readonly tone: number;
  /** The number of a shape in tile.css. */
  readonly shape: number;
}

const TONES = 4;
const SHAPES = 3;

/** A letter or a digit, with a few marks: more would leave the tile. */
const LETTER = /[\p{L}\p{N}]\p{M}{0,3}/gu;

/** @param name of an app or a publisher, for people: `Hello wave`, `meta-llama` */
export function tileLook(name: string): TileLook {
  const hash = hashOf(name);
  return { letters: initialsOf(name), tone: hash % TONES, shape: Math.floor(hash / TONES) % SHAPES };
}

/** The first letters of the first two words, or the first two of the only one. */
function initialsOf(name: string): string[] {
  const words = name.split(/[^\p{L}\p{N}\p{M}]+/u).map((word): readonly string[] => word.match(LETTER) ?? []);
  const [first = [], second] = words.filter((letters) => letters.length > 0);
  const [initial, next] = first;
  if (initial === undefined) return [];
  const other = second?.[0]?.toUpperCase() ?? next;
  return other === undefined ? [initial.toUpperCase()] : [initial.toUpperCase(), other];
}

function hashOf(name: string): number {
  let hash = 0;
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return hash;
}
