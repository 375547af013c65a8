import { emojiOf } from '../../contract/apps/emoji.ts';
import { closestName } from '../../shared/closest-name.ts';
import { displayText } from '../../shared/display-text.ts';
import { type FrontMatter, frontMatterLine, readFrontMatter } from '../front-matter.ts';
import type { PackageFiles } from '../package-files.ts';
import { inFile, type PackageFinding, warning } from '../package-finding.ts';

// Those that the hub documents for Spaces.
const COLORS = ['red', 'yellow', 'green', 'blue', 'indigo', 'purple', 'pink', 'gray'];
const KINDS = ['static', 'gradio', 'docker', 'streamlit'];
const MAX_DESCRIPTION = 60;

/** Findings about the front matter of README.md, if it can be read: its title, and values that the hub does not take. */
export function frontMatterFindings({ readme, paths }: Pick<PackageFiles, 'readme' | 'paths'>): PackageFinding[] {
  if (readme === null) return [];
  const { frontMatter, warnings } = readFrontMatter(readme);
  if (!warnings.every(({ code }) => code === 'no-tag')) return [];
  const at = (key: string, finding: PackageFinding) => inFile(finding, 'README.md', frontMatterLine(readme, key));
  const refused = (key: keyof FrontMatter, message: string | null, action: string) =>
    message === null ? [] : [at(key, warning('bad-space-value', message, action))];
  const { title, emoji, short_description: description = '', sdk, colorFrom, colorTo } = frontMatter;
  return [
    ...((title ?? '').trim() === ''
      ? [
          at(
            'title',
            warning('no-title', 'The front matter of README.md has no title, the name of the app for people.'),
          ),
        ]
      : []),
    ...refused('emoji', emojiProblem(emoji), 'Write one emoji, like 🤖.'),
    ...refused('colorFrom', valueProblem('colorFrom', colorFrom, COLORS), oneOf(colorFrom, COLORS)),
    ...refused('colorTo', valueProblem('colorTo', colorTo, COLORS), oneOf(colorTo, COLORS)),
    ...refused('sdk', valueProblem('sdk', sdk, KINDS), 'Write static: the Space of an app only shows its page.'),
    ...refused('sdk', missingStart(frontMatter, paths), 'Write sdk: static, by which the Space shows index.html.'),
    ...refused(
      'short_description',
      description.length > MAX_DESCRIPTION
        ? `short_description has ${description.length} characters, of which the hub takes ${MAX_DESCRIPTION}.`
        : null,
      `Shorten it to ${MAX_DESCRIPTION} characters.`,
    ),
  ];
}

function emojiProblem(emoji: string | undefined): string | null {
  if (emoji === undefined || emojiOf(emoji) !== '' || !/[\p{L}\p{N}]/u.test(emoji)) return null;
  return `emoji is "${displayText(emoji, 40)}", which is no emoji.`;
}

function valueProblem(key: string, value: unknown, known: readonly string[]): string | null {
  if (value === undefined || value === null) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return known.includes(text) ? null : `${key} is "${displayText(text, 40)}", which the hub does not know.`;
}

function oneOf(value: unknown, known: readonly string[]): string {
  const meant = closestName(String(value), known);
  return meant === null ? `Write one of ${known.join(', ')}.` : `Did you mean ${meant}? It may be ${known.join(', ')}.`;
}

/** Finds that the program which the hub would run is missing. */
function missingStart({ sdk, app_file: file }: FrontMatter, paths: readonly string[]): string | null {
  if (sdk === 'docker' && !paths.includes('Dockerfile')) return 'sdk is docker, but there is no Dockerfile.';
  if (sdk !== 'gradio' && sdk !== 'streamlit') return null;
  const start = typeof file === 'string' && file !== '' ? file : 'app.py';
  return paths.includes(start)
    ? null
    : `sdk is ${sdk}, but there is no ${displayText(start, 80)} that the hub would run.`;
}
