/** The pages to link to from a page: the first, the last, and those up to two away; all if that leaves out just one. */
export function shownPages(page: number, pages: number): number[] {
  const wanted = new Set([1, pages]);
  for (let each = page - 2; each <= page + 2; each += 1) if (each >= 1 && each <= pages) wanted.add(each);
  const sorted = [...wanted].toSorted((a, b) => a - b);
  return sorted.flatMap((each, index) => (each - (sorted[index - 1] ?? each) === 2 ? [each - 1, each] : [each]));
}
