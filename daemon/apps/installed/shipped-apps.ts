import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { iconAddressIn } from '../../app-package/icon/package-icon.ts';
import { needsPackageIndex, readManifest } from '../../app-package/manifest.ts';
import { readPackageFiles } from '../../app-package/package-files.ts';
import type { SampleApp } from '../../contract/apps/apps.ts';
import { readSdkVersion } from '../python/sdk-wheel.ts';

/** The sample apps and the SDK that are shipped with the daemon; empty before `load`. */
export class ShippedApps {
  readonly samplesDir: string;
  readonly #sdkDir: string;
  #samples: SampleApp[] = [];
  #sdkVersion = '';

  /** @param assetsDir holds `sample-apps` and `python-sdk` */
  constructor(assetsDir: string) {
    this.samplesDir = join(assetsDir, 'sample-apps');
    this.#sdkDir = join(assetsDir, 'python-sdk');
  }

  get samples(): SampleApp[] {
    return this.#samples;
  }

  /** The version of the SDK, `1.0.0`. */
  get sdkVersion(): string {
    return this.#sdkVersion;
  }

  async load(): Promise<void> {
    [this.#samples, this.#sdkVersion] = await Promise.all([
      readSampleApps(this.samplesDir),
      readSdkVersion(this.#sdkDir),
    ]);
  }
}

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
      const icon = await iconAddressIn(path, `/api/apps/samples/${name}`);
      return [{ name, title, description, emoji, needs, url: path, needsNetwork: needsPackageIndex(manifest), icon }];
    }),
  );
  // Without the order of a language, whose tables take 5 ms to load: the titles are plain English.
  return samples.flat().sort((a, b) => (a.title < b.title ? -1 : 1));
}
