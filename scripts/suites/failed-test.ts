import { stripVTControlCharacters } from 'node:util';

const LINES = 6;
const LINE_LENGTH = 300;

/** A failed test as the end of a log shows it: its name, and below it the first lines of the reason. */
export function failedTest(name: string, reason: string | undefined): string {
  const lines = stripVTControlCharacters(reason ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return [name, ...lines.slice(0, LINES).map((line) => `    ${line.slice(0, LINE_LENGTH)}`)].join('\n');
}

/** @param text a failed test as `failedTest` writes it  @returns its name alone */
export function nameOfFailed(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
