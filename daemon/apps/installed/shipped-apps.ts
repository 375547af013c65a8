import { join } from 'node:path';
import type { SampleApp } from '../../contract/apps/apps.ts';
import { readSdkVersion } from '../python/sdk-version.ts';
import { readSampleApps } from './sample-apps.ts';

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
