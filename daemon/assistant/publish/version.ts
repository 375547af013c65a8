import { isDeepStrictEqual } from 'node:util';
import { compare, explain } from '@renovatebot/pep440';
import { parse as parseToml, type TomlTable } from 'smol-toml';
import { tomlLines } from '../../app-package/toml-lines.ts';

/** The facts that decide the version of a publication. */
interface VersionFacts {
  /** The version of the folder, valid or not. */
  readonly local: string;
  /** The version of the Space; null: it has none. */
  readonly published: string | null;
  /** The version that the user asks for; null: none. */
  readonly wanted: string | null;
}

/**
 * The version of a publication that changes files: the wanted one, else the local one if it is newer than the published
 * one, else the one after the published one. A version that is not valid has no next one, and stays.
 */
export function versionToPublish({ local, published, wanted }: VersionFacts): string {
  if (wanted !== null) return wanted;
  if (published === null || !isVersion(local) || !isVersion(published)) return local;
  return isNewer(local, published) ? local : nextVersion(published);
}

export const isVersion = (text: string) => explain(text) !== null;

/** @param a a valid version, like `b` */
export const isNewer = (a: string, b: string) => compare(a, b) > 0;

/**
 * The version after a valid one: with the last of its numbers raised, that of a pre-release, a post-release or a
 * development release too. `1.2` becomes `1.2.1`, `1.2.3` becomes `1.2.4`, `1.0rc1` becomes `1.0rc2`. A local part, as
 * in `1.0+mine`, is dropped.
 */
export function nextVersion(version: string): string {
  const parts = explain(version);
  if (!parts) return version;
  const { epoch, release, pre, post, dev } = parts;
  const base = `${epoch ? `${epoch}!` : ''}${release.join('.')}`;
  const [preName, preNumber] = pre ?? [];
  const withPre = pre ? `${base}${preName}${preNumber}` : base;
  if (dev !== null) return `${post === null ? withPre : `${withPre}.post${Number(post)}`}.dev${Number(dev) + 1}`;
  if (post !== null) return `${withPre}.post${Number(post) + 1}`;
  if (pre) return `${base}${preName}${Number(preNumber) + 1}`;
  const numbers = [...release, 0, 0].slice(0, Math.max(3, release.length));
  const last = (numbers.at(-1) ?? 0) + 1;
  return `${epoch ? `${epoch}!` : ''}${[...numbers.slice(0, -1), last].join('.')}`;
}

/** `version = "…"` below `[project]`, or `project.version = "…"` before the first table. */
const VERSION =
  /^([ \t]*(?:project[ \t]*\.[ \t]*)?(?:version|"version"|'version')[ \t]*=[ \t]*)("[^"\\\r\n]*"|'[^'\r\n]*')/;

/**
 * Changes the version in a `pyproject.toml`, and nothing else: line ends, comments and quotes stay.
 * @returns null when the version is dynamic or cannot be changed without touching something else
 */
export function withVersion(pyproject: string, version: string): string | null {
  const lines = pyproject.split('\n');
  const at = (tomlLines(pyproject)(['project', 'version']) ?? 0) - 1;
  const quote = (_: string, key: string, value: string) => `${key}${value[0]}${version}${value[0]}`;
  const line = lines[at]?.replace(VERSION, quote);
  if (line === undefined || line === lines[at]) return null;
  const edited = lines.with(at, line).join('\n');
  return hasOnlyThisChange(pyproject, edited, version) ? edited : null;
}

/** A text that only looks like the version, such as the beginning of one of several lines, is found by what else changes with it. */
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
