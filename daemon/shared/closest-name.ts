const MAX_CHARS = 60;

/**
 * The known name that a misspelled one most likely means.
 * @returns null when none is like it
 */
export function closestName(written: string, known: Iterable<string>): string | null {
  const text = written.toLowerCase().slice(0, MAX_CHARS);
  let closest: string | null = null;
  // A third of the letters may be wrong.
  let least = Math.floor(text.length / 3) + 1;
  for (const name of known) {
    const distance = editDistance(text, name.toLowerCase().slice(0, MAX_CHARS));
    if (distance >= least) continue;
    least = distance;
    closest = name;
  }
  return closest;
}

/** How many letters have to be added, removed or replaced. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at++) {
    const next = [at];
    for (let column = 1; column <= other.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (one[at - 1] === other[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
