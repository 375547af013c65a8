import { usesSetuptools } from '../../../app-package/layout-findings.ts';
import { type Pyproject, parsePyproject } from '../../../app-package/pyproject.ts';
import { type KeyPath, tomlLines } from '../../../app-package/toml-lines.ts';
import { append, insertAfterLine } from './text-lines.ts';

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
