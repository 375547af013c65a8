/** The numbers of a page of lines. */
interface PageOfLines {
  readonly isFiltered: boolean;
  /** The lines that are shown, and those before them. */
  readonly shown: number;
  readonly before: number;
  /** All that match, all that are kept, and the number of the last line. */
  readonly matches: number;
  readonly kept: number;
  readonly last: number;
}

/** Says which lines are shown, how many are kept, and how many are not. @param whole the output: `this run` */
export function pageText({ isFiltered, shown, before, matches, kept, last }: PageOfLines, whole: string): string {
  const all = amount(kept, 'line', 'lines');
  const of = isFiltered ? `${amount(matches, 'match', 'matches')} in ${all}` : all;
  const range = `${(before + 1).toLocaleString()} to ${(before + shown).toLocaleString()}`;
  const text = kept === 0 ? 'No output' : shown === matches || shown === 0 ? of : `${range} of ${of}`;
  if (last <= kept) return `${text}.`;
  return `${text}. ${amount(last - kept, 'more line', 'more lines')} of ${whole} were not kept.`;
}
const amount = (count: number, one: string, many: string) => `${count.toLocaleString()} ${count === 1 ? one : many}`;

export const errorLinesHelp = 'Lines on stderr, and tracebacks';
export const savedText = (name: string): string => `Saved as ${name}`;
export const notSavedText = (reason: string): string => `Not saved. ${reason}`;
