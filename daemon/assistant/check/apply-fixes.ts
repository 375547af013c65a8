import { readFrontMatter } from '../../app-package/front-matter.ts';
import { readManifest } from '../../app-package/manifest.ts';
import { parsePyproject } from '../../app-package/pyproject.ts';
import type { RuleId } from '../../app-package/rules.ts';
import type { CheckFinding } from '../../contract/apps/own-apps.ts';
import { displayText } from '../../shared/display-text.ts';
import { gitignore } from '../create/gitignore.ts';
import { AuthorFiles } from './author-files.ts';
import {
  type AppTexts,
  append,
  frontMatterLines,
  withFrontMatter,
  withOnlyPackage,
  withStaticFiles,
  withTag,
  withTitle,
} from './fix-texts.ts';

interface FixedApp extends AppTexts {
  /** null: its declarations are refused. */
  readonly appPackage: string | null;
}

interface Fix {
  /** The file that it creates or edits. */
  readonly path: (finding: CheckFinding) => string | null;
  readonly create?: (app: FixedApp) => string;
  /** @returns null to leave the text as it is */
  readonly edit?: (text: string, app: FixedApp) => string | null;
}

const at = (path: string) => () => path;
const page = (texts: AppTexts) => `${frontMatterLines(texts).join('\n')}\n\n# ${texts.title}\n`;

const fixes: Partial<Record<RuleId, Fix>> = {
  'no-readme': { path: at('README.md'), create: page },
  'no-front-matter': { path: at('README.md'), edit: withFrontMatter },
  'no-tag': { path: at('README.md'), edit: withTag },
  'no-title': { path: at('README.md'), edit: (text, { title }) => withTitle(text, title) },
  'no-landing-page': { path: at('index.html'), create: landingPage },
  'no-landing-style': { path: at('style.css'), create: () => landingStyle },
  'no-init': { path: ({ file }) => (file?.endsWith('/__init__.py') ? file : null), create: () => '' },
  'no-gitignore': { path: at('.gitignore'), create: () => gitignore, edit: withIgnored },
  'stray-packages': {
    path: at('pyproject.toml'),
    edit: (text, { appPackage }) => appPackage && withOnlyPackage(text, appPackage),
  },
  'static-not-packaged': {
    path: at('pyproject.toml'),
    edit: (text, { appPackage }) => appPackage && withStaticFiles(text, appPackage),
  },
};

/**
 * Repairs what is safe to repair: adds what is missing, and changes nothing else, to the byte.
 * @param folder an absolute path, links resolved
 * @returns the changed files
 * @throws StorageError
 */
export async function applyFixes(folder: string, findings: readonly CheckFinding[]): Promise<string[]> {
  const files = new AuthorFiles(folder);
  const changed = new Set<string>();
  for (const finding of findings) {
    const fix = fixes[finding.id as RuleId];
    const path = fix?.path(finding) ?? null;
    if (!fix || path === null) continue;
    const app = await readApp(files);
    const { create, edit } = fix;
    const done =
      (create && (await files.create(path, create(app)))) ||
      (edit && (await files.edit(path, (text) => edit(text, app))));
    if (done) changed.add(path);
  }
  return [...changed];
}

async function readApp(files: AuthorFiles): Promise<FixedApp> {
  const [pyprojectText, readmeText] = await Promise.all([files.read('pyproject.toml'), files.read('README.md')]);
  const plain = (text: string | null) => text?.replace(/^\uFEFF/, '') ?? null;
  const { manifest } = readManifest(plain(pyprojectText), plain(readmeText));
  const pyproject = parsePyproject(plain(pyprojectText) ?? '');
  const { name, description } = 'code' in pyproject ? { name: 'app', description: '' } : pyproject.project;
  const words = name.replace(/[-_.]+/g, ' ').trim();
  const title = displayText(readFrontMatter(plain(readmeText)).frontMatter.title ?? '', 80);
  return {
    title: title || displayText(words.charAt(0).toUpperCase() + words.slice(1), 80),
    description: displayText(description ?? '', 300),
    appPackage: manifest?.module.split('.')[0] ?? null,
  };
}

/** Adds the lines that a new .gitignore would have and this one lacks. */
function withIgnored(text: string): string | null {
  const known = new Set(text.split(/\r?\n/).map((line) => line.trim()));
  const missing = gitignore.split('\n').filter((line) => line !== '' && !line.startsWith('#') && !known.has(line));
  return missing.length === 0 ? null : append(text, missing);
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The page that visitors of a published app see, for an app without one. */
function landingPage({ title, description }: AppTexts): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${escaped(title)}</title>
    <link rel="stylesheet" href="style.css" />
  </head>
  <body>
    <main>
      <h1>${escaped(title)}</h1>
${description === '' ? '' : `      <p>${escaped(description)}</p>\n`}      <p>To install it, open <b>Apps</b> in Robot Desktop and choose <b>Install</b>.</p>
    </main>
  </body>
</html>
`;
}

const landingStyle = `:root {
  color-scheme: light dark;
}

body {
  margin: 0;
  padding: 2rem 1rem;
  font:
    16px / 1.6 system-ui,
    sans-serif;
}

main {
  max-width: 40rem;
  margin: 0 auto;
}
`;
