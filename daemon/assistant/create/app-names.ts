import { nameFindings } from '../../app-package/manifest.ts';
import { type AppNames, appNamesOf, plainLatin } from '../../contract/apps/app-names.ts';
import { displayText } from '../../shared/display-text.ts';
import { AppNameUnusable } from './errors.ts';
import { commonPackages, keywords, standardModules, toolFolders } from './python-names.ts';

/** Leaves room for endings such as ".previous", and for the paths of Windows. */
const MAX_CHARS = 50;

/**
 * Derives the forms of a name from how the author writes it: `My first app`, `my-app`, `my_app`, `MyApp`.
 * @throws AppNameUnusable with a sentence for a person, and a suggestion where there is one
 */
export function appNames(written: string): AppNames {
  const text = written.normalize('NFC').trim().replace(/\s+/g, ' ');
  const shown = `"${displayText(text, 60)}"`;
  if (text === '') throw new AppNameUnusable('The app needs a name, such as "My first app".');
  refuseCharacters(text, shown);
  const names = appNamesOf(text);
  if (names === null) throw new AppNameUnusable(`${shown} has no letters. A name looks like "My first app".`);
  refuseName(names.package, shown);
  return names;
}

/** Only characters that need no escape in Python, HTML, TOML, YAML and paths pass. */
function refuseCharacters(text: string, shown: string): void {
  if (/[^\p{L}\p{M}\p{N} _-]/u.test(text)) {
    const rule = `${shown} cannot be the name of an app: use letters, digits, spaces, "-" and "_".`;
    throw new AppNameUnusable(rule, suggested(text.replace(/['’`]/g, '').replace(/[^\p{L}\p{M}\p{N} _-]+/gu, ' ')));
  }
  if (/[^\x20-\x7e]/.test(plainLatin(text))) {
    const rule = `${shown} cannot be the name of an app: Python packages are named with the letters A to Z.`;
    throw new AppNameUnusable(`${rule} Write it with these; the title in README.md may have any letters.`);
  }
}

function refuseName(name: string, shown: string): void {
  const refuse = (why: string, suggestion: string): never => {
    throw new AppNameUnusable(`${shown} cannot be the name of an app: ${why}.`, suggested(suggestion));
  };
  if (name.length > MAX_CHARS) refuse(`it has more than ${MAX_CHARS} characters`, shortened(name));
  if (/^\d/.test(name)) refuse("a Python package's name cannot begin with a digit", `app ${name}`);
  if (keywords.has(name)) refuse('it is a word of the Python language', `${name} app`);
  if (/^robot(?:_sdk)?$/.test(name)) refuse('the SDK is named so', 'my robot app');
  if (/^tests?$/.test(name)) refuse("an app's tests are in a folder named so", `${name} app`);
  if (standardModules.has(name)) refuse('a module of Python itself is named so', `${name} app`);
  if (commonPackages.has(name)) refuse('a Python package that apps use is named so', `${name} app`);
  if (toolFolders.has(name)) refuse('tools have folders of that name', `${name} app`);
  if (nameFindings(name, name.replaceAll('_', '-')).length > 0)
    refuse('it is the name of a device on Windows', `${name} app`);
}

/** The suggestion as an author would write it; null where it is refused too. */
function suggested(text: string): string | null {
  try {
    return appNames(text.replaceAll('_', ' ')).title;
  } catch {
    return null;
  }
}

/** The words that fit, at least one. */
function shortened(name: string): string {
  const short = name.slice(0, MAX_CHARS);
  return short.includes('_') ? short.slice(0, short.lastIndexOf('_')) : short;
}
