import { parse as parseToml, TomlError } from 'smol-toml';
import * as z from 'zod';
import { displayText } from '../shared/display-text.ts';
import { type PackageFinding, problem } from './package-finding.ts';

/** A larger file is not read; those of real packages have a few thousand bytes. */
export const MAX_PYPROJECT_BYTES = 256 * 1024;

const strings = z.array(z.string()).optional();

/** Tables of tools, read only for warnings: an unexpected form is ignored. */
const SetuptoolsTable = z.object({
  packages: z
    .object({ find: z.object({ where: strings, include: strings, exclude: strings }) })
    .optional()
    .catch(undefined),
  'package-data': z.record(z.string(), z.array(z.string())).optional().catch(undefined),
});
const UvTable = z.object({
  'override-dependencies': z.unknown().optional(),
  'constraint-dependencies': z.unknown().optional(),
  'dependency-metadata': z.unknown().optional(),
  sources: z.record(z.string(), z.unknown()).optional().catch(undefined),
});

/** The parts of `pyproject.toml` that are read. */
const Pyproject = z.object({
  'build-system': z.object({ requires: strings, 'build-backend': z.string().optional() }).optional(),
  project: z.object({
    name: z.string(),
    version: z.string().optional(),
    description: z.string().optional(),
    'requires-python': z.string().optional(),
    dependencies: strings,
    dynamic: strings,
    'optional-dependencies': z.record(z.string(), z.array(z.string())).optional(),
    'entry-points': z.record(z.string(), z.record(z.string(), z.string())).optional(),
  }),
  tool: z
    .object({
      /** Its needs: see `readNeeds`. */
      robot: z.looseObject({ baseline: z.boolean().optional() }).optional(),
      setuptools: SetuptoolsTable.optional().catch(undefined),
      uv: UvTable.optional().catch(undefined),
    })
    .optional(),
});
export type Pyproject = z.infer<typeof Pyproject>;

/** @returns the parsed file, or a finding when it cannot be read */
export function parsePyproject(text: string): Pyproject | PackageFinding {
  const file = 'pyproject.toml';
  if (Buffer.byteLength(text) > MAX_PYPROJECT_BYTES) {
    return problem('bad-pyproject', `pyproject.toml is larger than ${MAX_PYPROJECT_BYTES / 1024} KB.`, { file });
  }
  try {
    const table = parseToml(text, { unsafeKeyBehaviour: 'throw', maxDepth: 100 });
    if (table['project'] !== undefined) return Pyproject.parse(table);
    return problem('no-project', 'pyproject.toml has no [project] table, so this is not a Python package.', { file });
  } catch (error) {
    const issue = error instanceof z.ZodError ? error.issues[0] : undefined;
    const why = issue ? `${issue.path.join('.')}: ${issue.message}` : tomlProblem(error as Error, text);
    const place = issue
      ? { key: issue.path.filter((part) => typeof part !== 'symbol') }
      : { file, line: error instanceof TomlError ? error.line : null };
    return problem('bad-pyproject', `pyproject.toml cannot be read: ${displayText(why, 200)}.`, place);
  }
}

/** The first line of the parser's message, with the line of the file; the rest of the message draws the place. */
function tomlProblem(error: Error, text: string): string {
  const [message = ''] = error.message.split('\n');
  if (!(error instanceof TomlError)) return message;
  const what = message.replace(/^Invalid TOML document: /, '');
  const quotes = (text.split('\n')[error.line - 1] ?? '').match(/(?<!\\)"/g)?.length ?? 0;
  return `${what} in line ${error.line}${quotes % 2 === 1 ? ', where a quote is missing' : ''}`;
}
