import { type Pyproject, parsePyproject } from './pyproject.ts';
import { parseSdkRequirement } from './requirement.ts';
import { stringOf, TOML_STRING } from './toml-lines.ts';

/** A comment or a string. */
const TOKEN = new RegExp(`#[^\\n]*|${TOML_STRING}`, 'g');

/**
 * Removes versions and extras from the requirements of the SDK in a pyproject.toml, so that the shipped SDK always
 * meets them, in the app and in its build. Extras must be requested with the shipped wheel, since pip fails on extras
 * of a constrained package. Also removes a byte order mark, which builds cannot read.
 * @param pyprojectText returned unchanged when it cannot be parsed
 */
export function providedSdk(pyprojectText: string): string {
  const text = pyprojectText.replace(/^\uFEFF/, '');
  // The same text may be in another field, such as a description. Each is marked, to see which marks are requirements.
  const marked = replaceTokens(text, (_token, index) => JSON.stringify(mark(index)));
  const pyproject = parsePyproject(marked);
  const required = new Set('code' in pyproject ? [] : requirements(pyproject));
  return replaceTokens(text, (token, index) => (required.has(mark(index)) ? '"robot-sdk"' : token));
}

function replaceTokens(text: string, replace: (token: string, index: number) => string): string {
  let index = 0;
  return text.replace(TOKEN, (token) => {
    const isSdk = !token.startsWith('#') && parseSdkRequirement(stringOf(token) ?? '') !== null;
    return isSdk ? replace(token, index++) : token;
  });
}

function mark(index: number): string {
  return `sdk-requirement-${index}`;
}

function requirements({ project, 'build-system': build }: Pyproject): string[] {
  const optional = Object.values(project['optional-dependencies'] ?? {}).flat();
  return [...(project.dependencies ?? []), ...optional, ...(build?.requires ?? [])];
}
