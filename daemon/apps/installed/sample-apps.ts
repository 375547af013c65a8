import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { needsPackageIndex, readManifest } from '../../app-package/manifest.ts';
import { readPackageFiles } from '../../app-package/package-files.ts';
import type { SampleApp } from '../../contract/apps/apps.ts';

/** The apps that are shipped with Robot Desktop, one package a folder. */
export async function readSampleApps(samplesDir: string): Promise<SampleApp[]> {
  const folders = (await readdir(samplesDir, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const samples = await Promise.all(
    folders.map(async ({ name: folder }): Promise<SampleApp[]> => {
      const path = join(samplesDir, folder);
      const files = await readPackageFiles(path);
      const { manifest } = readManifest(files.pyproject, files.readme);
      if (!manifest) return [];
      const { name, title, description, emoji, needs } = manifest;
      return [{ name, title, description, emoji, needs, url: path, needsNetwork: needsPackageIndex(manifest) }];
    }),
  );
  // Without the order of a language, whose tables take 5 ms to load: the titles are plain English.
  return samples.flat().sort((a, b) => (a.title < b.title ? -1 : 1));
}
