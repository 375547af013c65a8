import { stripVTControlCharacters } from 'node:util';
import { Tracebacks } from '../../shared/tracebacks.ts';

/** Words of an error, unless they say that there is none. */
const WORDS =
  /(?<!\b(?:no|0|without) )\b(?:errors?|failed|failure|fatal|exception|traceback|panic(?:ked)?|abort(?:ed|ing)?|cannot|could not|unable to|out of memory|segmentation fault|assertion)\b(?!\s*[=:]\s*(?:0|none|false|null)\b)/i;
/** `(EngineCore pid=12) …` */
const PROCESS = /^\([\w .:-]{1,40}\bpid=\d+\)\s?/;

/**
 * @returns whether a line of a model server reports an error. Such servers write all lines to stderr, so it goes by the level
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

/** The level of a line, by the mark that its program put on it. */
type LineLevel = 'error' | 'other';

const NAMES = 'trace|debug|info|notice|warn(?:ing)?|err(?:or)?|crit(?:ical)?|fatal|severe|panic|alert|emerg';
const UPPER = NAMES.toUpperCase();
const ERRORS = /^(?:[EFC]|err(?:or)?|crit(?:ical)?|fatal|severe|panic|alert|emerg)$/i;
/** `2026-11-23 06:22:24,200`, `2026-11-23T06:22:24.200Z`, `[2026-11-23 06:22:24 +0000]`, `06:22:24` */
const TIME = String.raw`(?:\[\d{4}[-/]\d\d[-/]\d\d[^\]]{0,40}\]|\d{4}[-/]\d\d[-/]\d\d[T ][\d:.,]{5,20}(?:Z|[+-]\d\d:?\d\d)?|\d\d:\d\d:\d\d[.,\d]{0,10})`;
const AFTER = String.raw`(?=[\]\s:|,]|$)`;

/** Where the forms of logs that model servers use have their level: the first one that matches counts. */
const FORMS: readonly RegExp[] = [
  // 0.00.017.126 E gguf_init_from_reader: …
  /^\d+(?:\.\d+){1,3} ([A-Z]) /,
  /^(E) /,
  // E0719 12:00:00.123456 1234 file.cc:12] …   [W703 12:00:00.1 socket.cpp:1] …   [E file.cpp:828] …
  /^\[?([TDIWEFC])\d{3,4} \d\d:/,
  /^\[([TDIWEFC]) [\w./-]{1,80}:\d+\]/,
  // INFO 07-12 10:00:00 …   ERROR:root:…   2026-11-23 06:22:24.383 | ERROR | …   [time] [pid] [ERROR] …
  new RegExp(String.raw`^(?:${TIME}[\s|-]*)?(?:\[[^\]]{1,40}\]\s*){0,2}\[?(${UPPER})${AFTER}`),
  // 2026-11-23 06:22:24,200 - name - ERROR - …
  new RegExp(String.raw`^${TIME}[\s|-]+[\w.:/[\]-]{1,80}[\s|:-]+\[?(${UPPER})${AFTER}`),
  // error: …   main: error: …
  new RegExp(String.raw`^(?:[\w.-]{1,40}: )?(${NAMES}): `, 'i'),
  // file.py:11: UserWarning: …
  /^.{1,300}:\d+: (\w{0,40}Warning): /,
  // [name] [error] …   [name] [E] …
  new RegExp(String.raw`^(?:${TIME}\s*)?(?:\[[^\]]{1,40}\]\s*){0,3}\[(${NAMES}|[TDIWEFC])\]`, 'i'),
  // time=… level=ERROR msg=…   {"level":"ERROR", …}
  new RegExp(String.raw`(?:^|\s)(?:level|lvl|severity)="?(${NAMES})\b`, 'i'),
  new RegExp(String.raw`^\{.{0,500}"(?:level|levelname|severity)"\s*:\s*"(${NAMES})"`, 'i'),
];

/** The start of a line in which a mark is looked for. */
const START = 600;

/** The level of a line; null: it has no mark. @param text without escapes of terminals */
function lineLevel(text: string): LineLevel | null {
  const start = text.slice(0, START);
  for (const form of FORMS) {
    const mark = form.exec(start)?.[1];
    if (mark !== undefined) return ERRORS.test(mark) ? 'error' : 'other';
  }
  return null;
}
