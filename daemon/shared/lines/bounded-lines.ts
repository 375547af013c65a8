interface Text {
  readonly text: string;
}

/** The first of the lines that have at most so many characters together; the first one always. */
export function oldestWithin<Line extends Text>(lines: readonly Line[], characters: number): readonly Line[] {
  let sum = 0;
  const end = lines.findIndex(({ text }, index) => {
    sum += text.length;
    return sum > characters && index > 0;
  });
  return end === -1 ? lines : lines.slice(0, end);
}

/** The last of the lines that have at most so many characters together, in their order; the last one always. */
export function newestWithin<Line extends Text>(lines: readonly Line[], characters: number): readonly Line[] {
  let sum = 0;
  const end = lines.findLastIndex(({ text }, index) => {
    sum += text.length;
    return sum > characters && index < lines.length - 1;
  });
  return lines.slice(end + 1);
}
