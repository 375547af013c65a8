import { isDeepStrictEqual } from 'node:util';
import { parse as parseToml, type TomlTable } from 'smol-toml';

/** `version = "…"` in the table `[project]`, or `project.version = "…"` before the first table. */
const IN_TABLE = /^([ \t]*(?:version|"version"|'version')[ \t]*=[ \t]*)("[^"\\\r\n]*"|'[^'\r\n]*')/;
const DOTTED = /^([ \t]*project[ \t]*\.[ \t]*version[ \t]*=[ \t]*)("[^"\\\r\n]*"|'[^'\r\n]*')/;
const HEADER = /^\uFEFF?[ \t]*\[[ \t]*([^\]\r\n]*?)[ \t]*\]/;

/**
 * Changes the version in a `pyproject.toml`, and nothing else: line ends, comments and quotes stay.
 * @returns null when the version is dynamic or cannot be changed without touching something else
 */
export function withVersion(pyproject: string, version: string): string | null {
  const lines = pyproject.split('\n');
  let table = '';
  for (const [index, line] of lines.entries()) {
    table = HEADER.exec(line)?.[1]?.replaceAll(/["'\s]/g, '') ?? table;
    const pattern = table === 'project' ? IN_TABLE : table === '' ? DOTTED : null;
    if (!pattern?.test(line)) continue;
    const quote = (_: string, key: string, value: string) => `${key}${value[0]}${version}${value[0]}`;
    const edited = lines.with(index, line.replace(pattern, quote)).join('\n');
    if (hasOnlyThisChange(pyproject, edited, version)) return edited;
  }
  return null;
}

/** A line that only looks like the version, such as one in a long text, is found by what else changes with it. */
function hasOnlyThisChange(before: string, after: string, version: string): boolean {
  const [was, is] = [tomlOf(before), tomlOf(after)];
  const project = is?.['project'];
  if (!was || !is || typeof project !== 'object') return false;
  const expected = { ...was, project: { ...(was['project'] as TomlTable), version } };
  return isDeepStrictEqual({ ...is, project: { ...(project as TomlTable) } }, expected);
}

function tomlOf(text: string): TomlTable | null {
  try {
    return parseToml(text.replace(/^\uFEFF/, ''));
  } catch {
    return null;
  }
}
