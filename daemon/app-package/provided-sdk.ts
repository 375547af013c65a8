import { parse as parseToml } from 'smol-toml';
import { type Pyproject, parsePyproject } from './pyproject.ts';
import { parseSdkRequirement } from './sdk-requirement.ts';

/** A comment, or a string: multi-line basic, multi-line literal, basic, literal. A quote is nowhere else in TOML. */
const TOKEN = /#[^\n]*|"""(?:\\[\s\S]|(?!""")[^\\])*"{3,5}|'''(?:(?!''')[\s\S])*'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'/g;

/**
 * The text of a pyproject.toml whose requirements of the SDK are bare, so that the shipped one always meets them, in the
 * app and in its build. Extras go as well, and are to be asked for with the shipped wheel: pip fails on those of a
 * package that a constraint holds. Nothing else changes, but that a mark of byte order is left out, which builds cannot
 * read.
 * @param pyprojectText one that cannot be read is given back as it is
 */
export function providedSdk(pyprojectText: string): string {
  const text = pyprojectText.replace(/^\uFEFF/, '');
  // The same words may stand elsewhere, in a description: each is marked, to see which marks are read as requirements.
  const marked = replaceTokens(text, (_token, index) => JSON.stringify(mark(index)));
  const pyproject = parsePyproject(marked);
  const required = new Set('code' in pyproject ? [] : requirements(pyproject));
  return replaceTokens(text, (token, index) => (required.has(mark(index)) ? '"robot-sdk"' : token));
}

function replaceTokens(text: string, replace: (token: string, index: number) => string): string {
  let index = 0;
  return text.replace(TOKEN, (token) => {
    const isSdk = !token.startsWith('#') && parseSdkRequirement(stringValue(token)) !== null;
    return isSdk ? replace(token, index++) : token;
  });
}

function mark(index: number): string {
  return `sdk-requirement-${index}`;
}

function stringValue(token: string): string {
  try {
    const { value } = parseToml(`value = ${token}`);
    return typeof value === 'string' ? value : '';
  } catch {
    return '';
  }
}

function requirements({ project, 'build-system': build }: Pyproject): string[] {
  const optional = Object.values(project['optional-dependencies'] ?? {}).flat();
  return [...(project.dependencies ?? []), ...optional, ...(build?.requires ?? [])];
}
