import type { Readme } from '../contract/apps/readme.ts';
import { displayLines } from '../shared/display-text.ts';

/** More of a README is not read. */
export const MAX_README_BYTES = 64 * 1024;
/** Longer lines are cut: a page takes long to parse them. */
const MAX_LINE = 5_000;
/** Quotes and lists within each other; more are left out, since each is a call on the stack of who parses them. */
const MAX_NESTING = 12;

const FRONT_MATTER = /^---\r?\n[\s\S]*?\r?\n---[^\S\n]*(?:\r?\n|$)/;
/** The marks of quotes and list items at the beginning of a line. */
const MARKS = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/;
const MARK = /[ \t]*(?:>|[-*+]|\d{1,9}[.)])/g;

/**
 * The README as its page may parse it: without front matter, with lines and nesting of a bounded size.
 * @param text the beginning of README.md; `isWhole` tells whether it is all of it
 */
export function readmeOf(text: string, { isWhole }: { readonly isWhole: boolean }): Readme {
  const lines = displayLines(text.replace(FRONT_MATTER, '')).split('\n');
  const markdown = lines.map(boundedLine).join('\n').trim();
  return { markdown, truncated: !isWhole };
}

function boundedLine(line: string): string {
  // Deeper lists are indented by their marks or by spaces.
  const flat = withoutDeepMarks(line.replace(/^[ \t]{40,}/, (spaces) => spaces.slice(0, 40))).trimEnd();
  return flat.length > MAX_LINE ? `${flat.slice(0, MAX_LINE - 1).toWellFormed()}…` : flat;
}

function withoutDeepMarks(line: string): string {
  const marks = MARKS.exec(line)?.[0] ?? '';
  const all = marks.match(MARK) ?? [];
  return all.length <= MAX_NESTING ? line : all.slice(0, MAX_NESTING).join('') + line.slice(marks.length);
}
