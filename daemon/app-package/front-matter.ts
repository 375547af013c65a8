import { isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import * as z from 'zod';
import { displayText } from '../shared/display-text.ts';
import { inFile, type PackageFinding, warning } from './package-finding.ts';
import type { RuleId } from './rules.ts';

/** The tag in README.md that makes an app discoverable. */
export const DISCOVERY_TAG = 'robot_python_app';

/** A larger front matter is not parsed, since parsing could take long. */
const MAX_CHARS = 16 * 1024;

/** A key without a value is like one that is not there. */
const absent = <T>(value: T | null | undefined) => value ?? undefined;
const text = z.string().nullish().transform(absent);

const FrontMatter = z.object({
  title: text,
  emoji: text,
  short_description: text,
  tags: z.array(z.string()).nullish().transform(absent),
  /** How the hub shows the Space: of any type, since an app needs none of them. */
  sdk: z.unknown().optional(),
  app_file: z.unknown().optional(),
  colorFrom: z.unknown().optional(),
  colorTo: z.unknown().optional(),
});
export type FrontMatter = Partial<z.infer<typeof FrontMatter>>;

const BLOCK = /^---\r?\n([\s\S]*?)\r?\n---\s*(?:\r?\n|$)/;

interface ReadFrontMatter {
  readonly frontMatter: FrontMatter;
  readonly warnings: PackageFinding[];
  /** The line of a key in README.md, counted from 1; 1 for a key that is not there. */
  readonly lineOf: (key: string) => number;
}

/** Reads the front matter at the beginning of README.md; its defects are warnings. */
export function readFrontMatter(readme: string | null): ReadFrontMatter {
  const warn = (code: RuleId, message: string, line: number | null = null): ReadFrontMatter => {
    const finding = warning(code, `${message} The app works, but the app store will not find it.`);
    const warnings = [readme === null ? finding : inFile(finding, 'README.md', line)];
    return { frontMatter: {}, warnings, lineOf: () => 1 };
  };
  if (readme === null) return warn('no-readme', 'There is no README.md.');
  const block = BLOCK.exec(readme);
  if (!block) return warn('no-front-matter', 'README.md has no front matter.', 1);
  const [, yaml = ''] = block;
  if (yaml.length > MAX_CHARS)
    return warn('bad-front-matter', 'The front matter of README.md is larger than 16 KB.', 1);
  const read = parseFrontMatter(yaml);
  if ('why' in read) {
    return warn('bad-front-matter', `The front matter of README.md cannot be read: ${read.why}.`, read.line);
  }
  if (read.frontMatter.tags?.includes(DISCOVERY_TAG)) return { ...read, warnings: [] };
  return { ...warn('no-tag', `README.md does not have the tag ${DISCOVERY_TAG}.`, read.lineOf('tags')), ...read };
}

function parseFrontMatter(
  yaml: string,
): Omit<ReadFrontMatter, 'warnings'> | { readonly why: string; readonly line: number } {
  const lineCounter = new LineCounter();
  // The block begins in the second line of the file.
  const lineAt = (offset: number) => lineCounter.linePos(offset).line + 1;
  try {
    const document = parseDocument(yaml, { logLevel: 'error', lineCounter });
    const [error] = document.errors;
    if (error) return { why: firstLine(error), line: lineAt(error.pos[0]) };
    const lineOf = (key: string) => {
      const pairs = isMap(document.contents) ? document.contents.items : [];
      const found = pairs.map((pair) => pair.key).find((each) => isScalar(each) && each.value === key);
      return isScalar(found) && found.range ? lineAt(found.range[0]) : 1;
    };
    const parsed = FrontMatter.safeParse(document.toJS({ maxAliasCount: 10 }) ?? {});
    if (parsed.success) return { frontMatter: parsed.data, lineOf };
    return { why: 'its fields are invalid', line: lineOf(String(parsed.error.issues[0]?.path[0] ?? '')) };
  } catch (error) {
    return { why: firstLine(error as Error), line: 1 };
  }
}

function firstLine({ message }: Error): string {
  return displayText(message.split('\n')[0] ?? '', 200);
}
