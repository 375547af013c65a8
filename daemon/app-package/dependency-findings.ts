import { displayText } from '../shared/display-text.ts';
import { atKey, type PackageFinding, problem, warning } from './package-finding.ts';
import type { Pyproject } from './pyproject.ts';
import { isVersionRange, parseRequirement, parseSdkRequirement } from './requirement.ts';
import type { KeyPath } from './toml-lines.ts';

/** Findings about the requirements beyond the SDK. The installers check that they exist and fit together. */
export function dependencyFindings({ project, 'build-system': build, tool }: Pyproject): PackageFinding[] {
  return [
    ...findingsIn(project.dependencies, 'project', 'dependencies'),
    ...findingsIn(build?.requires, 'build-system', 'requires'),
    ...uvFindings(tool?.uv),
  ];
}

function findingsIn(requirements: readonly string[] = [], ...key: KeyPath): PackageFinding[] {
  return requirements.flatMap((text, index) =>
    requirementFindings(text).map((finding) => atKey(finding, ...key, index)),
  );
}

function requirementFindings(text: string): PackageFinding[] {
  const shown = `Its requirement "${displayText(text, 120)}"`;
  if (text.trimStart().startsWith('-')) return [problem('bad-dependency', `${shown} would be read as an option.`)];
  const requirement = parseRequirement(text);
  if (!requirement || !isVersionRange(requirement.specifier)) {
    return [problem('bad-dependency', `${shown} is invalid. Use a name and a version, such as "numpy>=1.26".`)];
  }
  // The shipped SDK is used, whatever its address here.
  return requirement.address === null || parseSdkRequirement(text) ? [] : addressFindings(requirement.address, shown);
}

/** Packages must come over HTTPS, or over HTTP from this machine. Git and installers get no other address. */
function addressFindings(address: string, shown: string): PackageFinding[] {
  const [, git, rest = ''] = /^(git\+)?(.*)$/is.exec(address) ?? [];
  const url = URL.parse(rest);
  const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url?.hostname ?? '');
  if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && loopback)) || url.pathname.includes('@-')) {
    return [problem('bad-dependency', `${shown} is not fetched over HTTPS. Only HTTPS is allowed.`)];
  }
  return git ? [warning('git-dependency', `${shown} needs git on this machine.`)] : [];
}

const UV_ONLY = ['override-dependencies', 'constraint-dependencies', 'dependency-metadata'] as const;

function uvFindings(uv: NonNullable<Pyproject['tool']>['uv']): PackageFinding[] {
  if (!uv) return [];
  const set = UV_ONLY.filter((key) => uv[key] !== undefined);
  const ignored = set.map((key) => `"${key}"`).join(', ');
  const message = `It sets ${ignored} in [tool.uv], which applies only in its own workspace.`;
  return [
    ...(set.length > 0 ? [warning('uv-settings', message, { key: ['tool', 'uv', set[0] ?? ''] })] : []),
    ...Object.entries(uv.sources ?? {}).flatMap(([name, source]) =>
      [source]
        .flat()
        .flatMap((one: unknown) => uvSourceFindings(name, one))
        .map((finding) => atKey(finding, 'tool', 'uv', 'sources', name)),
    ),
  ];
}

function uvSourceFindings(name: string, source: unknown): PackageFinding[] {
  const { workspace, path, git, url } = Object(source) as Record<string, unknown>;
  const shown = `Its source of ${displayText(name, 80)} in [tool.uv]`;
  if (typeof git === 'string') return addressFindings(`git+${git}`, shown);
  if (typeof url === 'string') return addressFindings(url, shown);
  const outside = typeof path === 'string' && /^(?:\.\.|[/\\~]|[a-z]:)/i.test(path);
  if (workspace !== true && !outside) return [];
  return [warning('uv-settings', `${shown} will not be found outside its workspace.`)];
}
