import { isMap, isScalar, isSeq, parseDocument } from 'yaml';
import { DISCOVERY_TAG } from '../../app-package/front-matter.ts';
import { usesSetuptools } from '../../app-package/layout-findings.ts';
import { type Pyproject, parsePyproject } from '../../app-package/pyproject.ts';
import { type KeyPath, tomlLines } from '../../app-package/toml-lines.ts';

export interface AppTexts {
  readonly title: string;
  readonly description: string;
}

export function frontMatterLines({ title, description }: AppTexts): string[] {
  return [
    '---',
    `title: ${JSON.stringify(title)}`,
    'emoji: 🤖',
    'sdk: static',
    'pinned: false',
    ...(description === '' ? [] : [`short_description: ${JSON.stringify(description)}`]),
    'tags:',
    `  - ${DISCOVERY_TAG}`,
    '---',
  ];
}

const BLOCK = /^(\uFEFF?---\r?\n)([\s\S]*?)(\r?\n---\s*(?:\r?\n|$))/;

/** Adds a front matter to a README without one. */
export function withFrontMatter(readme: string, texts: AppTexts): string {
  if (BLOCK.test(readme)) return readme;
  const mark = readme.startsWith('\uFEFF') ? '\uFEFF' : '';
  return `${mark}${linesLike(readme, [...frontMatterLines(texts), ''])}${readme.slice(mark.length)}`;
}

/** Adds the tag that the store finds apps by. @returns null when the tags are written in a way that is not understood */
export function withTag(readme: string): string | null {
  return editFrontMatter(readme, (yaml, end) => {
    const tags = nodeOf(yaml, 'tags');
    if (tags === undefined) return `${yaml}${end}tags:${end}  - ${DISCOVERY_TAG}`;
    if (isScalar(tags) && tags.value === null && tags.range) {
      const at = endOfLine(yaml, tags.range[0]);
      return `${yaml.slice(0, at)}${end}  - ${DISCOVERY_TAG}${yaml.slice(at)}`;
    }
    if (!isSeq(tags) || !tags.range) return null;
    const words = tags.items.map((item) => (isScalar(item) ? item.value : null));
    if (words.includes(DISCOVERY_TAG)) return yaml;
    const last = tags.items.at(-1);
    const lastEnd = isScalar(last) ? last.range?.[1] : undefined;
    if (tags.flow) {
      const at = lastEnd ?? tags.range[0] + 1;
      return `${yaml.slice(0, at)}${lastEnd === undefined ? '' : ', '}${DISCOVERY_TAG}${yaml.slice(at)}`;
    }
    if (lastEnd === undefined) return null;
    // The new item stands like the last one: its line has the same beginning up to the dash.
    const lineStart = yaml.lastIndexOf('\n', lastEnd - 1) + 1;
    const [indent = ''] = /^\s*- +/.exec(yaml.slice(lineStart)) ?? [];
    if (indent === '') return null;
    const at = endOfLine(yaml, lastEnd);
    return `${yaml.slice(0, at)}${end}${indent}${DISCOVERY_TAG}${yaml.slice(at)}`;
  });
}

/** The index of the end of the line that an index is in. */
function endOfLine(text: string, index: number): number {
  const length = text.slice(index).search(/\r?\n/);
  return length < 0 ? text.length : index + length;
}

/** Adds the title, or fills an empty one. @returns null when it is written in a way that is not understood */
export function withTitle(readme: string, title: string): string | null {
  return editFrontMatter(readme, (yaml, end) => {
    const found = nodeOf(yaml, 'title');
    if (found === undefined) return `title: ${JSON.stringify(title)}${end}${yaml}`;
    if (!isScalar(found) || !found.range) return null;
    if (found.value === null) {
      const before = yaml.slice(0, found.range[0]).trimEnd();
      return `${before} ${JSON.stringify(title)}${yaml.slice(before.length)}`;
    }
    if (typeof found.value !== 'string') return null;
    if (found.value.trim() !== '') return yaml;
    return yaml.slice(0, found.range[0]) + JSON.stringify(title) + yaml.slice(found.range[1]);
  });
}

function editFrontMatter(readme: string, edit: (yaml: string, end: string) => string | null): string | null {
  const [whole, start = '', yaml = '', end = ''] = BLOCK.exec(readme) ?? [];
  if (whole === undefined) return null;
  const edited = edit(yaml, lineEnd(readme));
  return edited === null ? null : start + edited + end + readme.slice(whole.length);
}

function nodeOf(yaml: string, key: string): unknown {
  const { contents, errors } = parseDocument(yaml, { logLevel: 'error' });
  if (errors.length > 0) return null;
  return isMap(contents)
    ? contents.items.find((pair) => isScalar(pair.key) && pair.key.value === key)?.value
    : undefined;
}

const FIND = ['tool', 'setuptools', 'packages', 'find'];
const PACKAGE_DATA = ['tool', 'setuptools', 'package-data'];

/** Names the app's package, so that setuptools takes no other folder. @returns null when the table has another form */
export function withOnlyPackage(text: string, appPackage: string): string | null {
  const find = parsed(text)?.tool?.setuptools?.packages?.find;
  if (!find || find.include) return null;
  return checked(underHeader(text, FIND, [`include = ["${appPackage}", "${appPackage}.*"]`]));
}

/** Installs the static files of the app's package. @returns null when the table has another form */
export function withStaticFiles(text: string, appPackage: string): string | null {
  const files = '"static/*", "static/**/*"';
  const pyproject = parsed(text);
  if (!pyproject || !usesSetuptools(pyproject)) return null;
  const known = pyproject.tool?.setuptools?.['package-data'];
  if (!known) return checked(append(text, [`[${PACKAGE_DATA.join('.')}]`, `${appPackage} = [${files}]`]));
  const own = known[appPackage];
  if (!own) return checked(underHeader(text, PACKAGE_DATA, [`${appPackage} = [${files}]`]));
  if (own.some((pattern) => pattern.startsWith('static/*'))) return null;
  const line = tomlLines(text)([...PACKAGE_DATA, appPackage]);
  const lines = text.split('\n');
  const at = (line ?? 0) - 1;
  const edited = lines[at]?.replace(/=(\s*)\[/, `=$1[${files}${own.length === 0 ? '' : ', '}`);
  if (edited === undefined || edited === lines[at]) return null;
  return checked(lines.with(at, edited).join('\n'));
}

/** Inserts lines below the header of a table. */
function underHeader(text: string, table: KeyPath, lines: readonly string[]): string | null {
  const line = tomlLines(text)(table);
  const header = line === null ? '' : (text.split('\n')[line - 1] ?? '');
  const parts = table.map((part) => `\\s*["']?${part}["']?\\s*`).join('\\.');
  return line !== null && new RegExp(`^\\s*\\[${parts}\\]`).test(header) ? insertAfterLine(text, line, lines) : null;
}

/** An edit that could not be read again is none. */
const checked = (text: string | null) => (text !== null && parsed(text) ? text : null);

function parsed(text: string): Pyproject | null {
  const pyproject = parsePyproject(text.replace(/^\uFEFF/, ''));
  return 'code' in pyproject ? null : pyproject;
}

/** The end of the lines of a text, as its first line has it. */
function lineEnd(text: string): '\n' | '\r\n' {
  return /\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n';
}

/** The lines with the line ends of a text. */
function linesLike(text: string, lines: readonly string[]): string {
  return lines.map((line) => line + lineEnd(text)).join('');
}

/** Inserts lines after a line of a text, counted from 1. */
function insertAfterLine(text: string, line: number, lines: readonly string[]): string {
  let at = 0;
  for (let passed = 0; passed < line; passed++) {
    const next = text.indexOf('\n', at);
    if (next < 0) return `${text}${lineEnd(text)}${linesLike(text, lines)}`;
    at = next + 1;
  }
  return text.slice(0, at) + linesLike(text, lines) + text.slice(at);
}

/** Adds lines at the end of a text, after an empty one. */
export function append(text: string, lines: readonly string[]): string {
  const end = lineEnd(text);
  const closed = text === '' || text.endsWith('\n') ? text : text + end;
  return `${closed}${closed === '' ? '' : end}${linesLike(text, lines)}`;
}
