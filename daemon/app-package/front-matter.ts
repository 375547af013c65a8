import { parse as parseYaml } from 'yaml';
import * as z from 'zod';
import { displayText } from '../shared/display-text.ts';
import { type PackageFinding, warning } from './package-finding.ts';

/** The tag in README.md that makes an app discoverable. */
export const DISCOVERY_TAG = 'robot_python_app';

/** A larger front matter is not parsed, since parsing could take long. */
const MAX_CHARS = 16 * 1024;

const FrontMatter = z.object({
  title: z.string().optional(),
  emoji: z.string().optional(),
  short_description: z.string().optional(),
  tags: z.array(z.string()).optional(),
});
export type FrontMatter = z.infer<typeof FrontMatter>;

/** Reads the front matter at the beginning of README.md; its defects are warnings. */
export function readFrontMatter(readme: string | null): { frontMatter: FrontMatter; warnings: PackageFinding[] } {
  const warn = (code: string, message: string, frontMatter: FrontMatter = {}) => ({
    frontMatter,
    warnings: [warning(code, `${message} The app works, but the app store will not find it.`)],
  });
  if (readme === null) return warn('no-readme', 'There is no README.md.');
  const block = /^---\r?\n([\s\S]*?)\r?\n---\s*(?:\r?\n|$)/.exec(readme);
  if (!block) return warn('no-front-matter', 'README.md has no front matter.');
  const [, yaml = ''] = block;
  if (yaml.length > MAX_CHARS) return warn('bad-front-matter', 'The front matter of README.md is larger than 16 KB.');
  let frontMatter: FrontMatter;
  try {
    frontMatter = FrontMatter.parse(parseYaml(yaml, { maxAliasCount: 10, logLevel: 'error' }) ?? {});
  } catch (error) {
    const [first = ''] = (error as Error).message.split('\n');
    const why = error instanceof z.ZodError ? 'its fields are invalid' : displayText(first, 200);
    return warn('bad-front-matter', `The front matter of README.md cannot be read: ${why}.`);
  }
  if (frontMatter.tags?.includes(DISCOVERY_TAG)) return { frontMatter, warnings: [] };
  return warn('no-tag', `README.md does not have the tag ${DISCOVERY_TAG}.`, frontMatter);
}
