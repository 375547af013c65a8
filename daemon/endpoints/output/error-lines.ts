import { stripVTControlCharacters } from 'node:util';
import { Tracebacks } from '../../shared/tracebacks.ts';
import { type LineLevel, lineLevel } from './line-level.ts';

/** Words that tell of an error, unless they say that there is none. */
const WORDS =
  /(?<!\b(?:no|0|without) )\b(?:errors?|failed|failure|fatal|exception|traceback|panic(?:ked)?|abort(?:ed|ing)?|cannot|could not|unable to|out of memory|segmentation fault|assertion)\b(?!\s*[=:]\s*(?:0|none|false|null)\b)/i;
/** `(EngineCore pid=12) …` */
const PROCESS = /^\([\w .:-]{1,40}\bpid=\d+\)\s?/;

/**
 * @returns whether a line of a model server tells of an error. Such servers write all lines to stderr, so it goes by the level
 * that a line is marked with, which counts for indented lines after it too; without one, by its place in a traceback and by
 * its words. It gets every line, in order.
 */
export function errorLines(): (text: string) => boolean {
  const tracebacks = new Tracebacks();
  let level: LineLevel | null = null;
  return (line) => {
    const text = stripVTControlCharacters(line).replace(PROCESS, '');
    const isInTraceback = tracebacks.includes(text);
    const isIndented = /^\s/.test(text);
    if (isInTraceback && isIndented) return true;
    level = lineLevel(text) ?? (isIndented ? level : null);
    return level === null ? isInTraceback || WORDS.test(text) : level === 'error';
  };
}
