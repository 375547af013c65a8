import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import * as z from 'zod';
import { type AppManifest, AppName } from '../contract/apps.ts';
import { type Finding, problem } from './finding.ts';

/** The group of entry points in which an app declares itself. */
export const ENTRY_POINT_GROUP = 'robot_apps';
/** The tag in README.md that makes an app discoverable. */
export const DISCOVERY_TAG = 'robot_python_app';

const Pyproject = z.object({
  project: z.object({
    name: z.string(),
    version: z.string().optional(),
    description: z.string().optional(),
    'requires-python': z.string().optional(),
    dependencies: z.array(z.string()).optional(),
    'entry-points': z.record(z.string(), z.record(z.string(), z.string())).optional(),
  }),
  tool: z.object({ robot: z.object({ baseline: z.boolean().optional() }).optional() }).optional(),
});

const FrontMatter = z.object({
  title: z.string().optional(),
  emoji: z.string().optional(),
  short_description: z.string().optional(),
  tags: z.array(z.string()).optional(),
});
type FrontMatter = z.infer<typeof FrontMatter>;

export type ManifestResult =
  | { readonly manifest: AppManifest; readonly warnings: readonly Finding[] }
  | { readonly manifest: null; readonly problems: readonly Finding[] };

/** Reads what a package declares of itself. Nothing of it is run. */
export function readManifest(pyprojectText: string | null, readmeText: string | null): ManifestResult {
  if (pyprojectText === null)
    return refused('no-pyproject', 'There is no pyproject.toml, so this is not a Python package.');
  const pyproject = parsePyproject(pyprojectText);
  if ('code' in pyproject) return { manifest: null, problems: [pyproject] };

  const { project, tool } = pyproject;
  const declared = Object.entries(project['entry-points']?.[ENTRY_POINT_GROUP] ?? {});
  const [entry] = declared;
  if (!entry) {
    return refused(
      'no-entry-point',
      `pyproject.toml declares no entry point in the group ${ENTRY_POINT_GROUP}, so it does not say which class is the app.`,
    );
  }
  if (declared.length > 1) {
    const names = declared.map(([name]) => name).join(', ');
    return refused('two-entry-points', `pyproject.toml declares several apps (${names}); a package holds one.`);
  }
  const [name, value] = entry;
  const target = /^\s*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*:\s*([A-Za-z_]\w*)\s*$/.exec(value);
  if (!target) {
    return refused('bad-entry-point', `The entry point "${name}" is "${value}", not "<package>.main:<ClassName>".`);
  }
  if (!AppName.safeParse(name).success) {
    return refused(
      'bad-name',
      `"${name}" cannot be the name of an app: letters, digits, ".", "_" and "-", at most 64.`,
    );
  }
  const { frontMatter, warnings } = parseFrontMatter(readmeText);
  return {
    manifest: {
      name,
      distribution: project.name,
      version: project.version ?? '0',
      module: target[1] as string,
      className: target[2] as string,
      title: oneLine(frontMatter.title, 80) || name,
      description: oneLine(frontMatter.short_description, 300) || oneLine(project.description, 300),
      emoji: oneLine(frontMatter.emoji, 16),
      requiresPython: project['requires-python'] ?? null,
      dependencies: project.dependencies ?? [],
      baseline: tool?.robot?.baseline ?? true,
    },
    warnings,
  };
}

function parsePyproject(text: string): z.infer<typeof Pyproject> | Finding {
  try {
    return Pyproject.parse(parseToml(text));
  } catch (error) {
    const issue = error instanceof z.ZodError ? error.issues[0] : undefined;
    const why = issue ? `${issue.path.join('.')}: ${issue.message}` : ((error as Error).message.split('\n')[0] ?? '');
    return problem('bad-pyproject', `pyproject.toml cannot be read: ${why}.`);
  }
}

function parseFrontMatter(readme: string | null): { frontMatter: FrontMatter; warnings: Finding[] } {
  const hint = 'The app works, but the app store will not find it.';
  const warn = (code: string, message: string) => ({
    frontMatter: {},
    warnings: [{ code, message, severity: 'warning' as const }],
  });
  if (readme === null) return warn('no-readme', `There is no README.md. ${hint}`);
  const block = /^---\r?\n([\s\S]*?)\r?\n---\s*(?:\r?\n|$)/.exec(readme);
  if (!block) return warn('no-front-matter', `README.md has no front matter. ${hint}`);
  let frontMatter: FrontMatter;
  try {
    frontMatter = FrontMatter.parse(parseYaml(block[1] as string, { maxAliasCount: 10 }) ?? {});
  } catch (error) {
    const why =
      error instanceof z.ZodError ? 'its fields are not what they should be' : (error as Error).message.split('\n')[0];
    return warn('bad-front-matter', `The front matter of README.md cannot be read: ${why}. ${hint}`);
  }
  if (frontMatter.tags?.includes(DISCOVERY_TAG)) return { frontMatter, warnings: [] };
  return { ...warn('no-tag', `README.md does not have the tag ${DISCOVERY_TAG}. ${hint}`), frontMatter };
}

/** Text from a package, made fit to be shown in one line. */
function oneLine(text: string | undefined, limit: number): string {
  const flat = (text ?? '').replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return flat.length > limit ? `${flat.slice(0, limit - 1)}…` : flat;
}

function refused(code: string, message: string): ManifestResult {
  return { manifest: null, problems: [problem(code, message)] };
}

/** Whether an install of the app needs the package index: for anything beyond the SDK, which is here. */
export function needsPackageIndex({ baseline, dependencies }: AppManifest): boolean {
  const theSdkAlone = /^robot[-_.]sdk\s*(?:[<>=!~;@(].*)?$/i;
  return baseline || dependencies.some((dependency) => !theSdkAlone.test(dependency.trim()));
}
