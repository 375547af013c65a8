import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DISCOVERY_TAG, readFrontMatter } from '../../app-package/front-matter.ts';
import { readManifest } from '../../app-package/manifest.ts';
import { NotPublishable, publishProblem } from './space/errors.ts';

/** The declarations in an app's folder. */
export interface OwnPackage {
  readonly distribution: string;
  readonly version: string;
  readonly isVersionDynamic: boolean;
  /** The text of `pyproject.toml`. */
  readonly pyproject: string;
  /** Whether its README has the tag by which the store finds it. */
  readonly hasTag: boolean;
}

/** @throws NotPublishable when there is no app in the folder */
export async function readOwnPackage(folder: string): Promise<OwnPackage> {
  const [pyproject, readme] = await Promise.all(
    ['pyproject.toml', 'README.md'].map((name) => textOf(join(folder, name))),
  );
  const read = readManifest(pyproject?.replace(/^\uFEFF/, '') ?? null, readme?.replace(/^\uFEFF/, '') ?? null);
  if (!read.manifest) {
    throw new NotPublishable(
      read.problems.map(({ code, message, action }) =>
        publishProblem(code, message, { file: pyproject === null ? null : 'pyproject.toml', action: action ?? null }),
      ),
    );
  }
  const { frontMatter } = readFrontMatter(readme?.replace(/^\uFEFF/, '') ?? null);
  return {
    distribution: read.manifest.distribution,
    version: read.pyproject.project.version ?? read.manifest.version,
    isVersionDynamic: read.pyproject.project.version === undefined,
    pyproject: pyproject ?? '',
    hasTag: frontMatter.tags?.includes(DISCOVERY_TAG) ?? false,
  };
}

/** @returns null for a file that is missing or may not be read */
const textOf = (path: string) => readFile(path, 'utf8').catch(() => null);
