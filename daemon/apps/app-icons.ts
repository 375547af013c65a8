import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type IconPicture, iconPicture, MAX_ICON_BYTES } from '../app-package/icon/icon-picture.ts';
import { findIcon, iconVersion, NoIconToShow, readIcon } from '../app-package/icon/package-icon.ts';
import { readWithin } from '../app-package/package-files.ts';
import type { SampleApp } from '../contract/apps/apps.ts';
import { NotFound } from '../shared/domain-error.ts';
import type { InstalledApps } from './installed/installed-apps.ts';

/** Kept in an environment, so that each version has its own. */
const KEPT_AS = 'app-icon';

/**
 * Keeps the icon of a package with the environment that is built from it.
 * @param log gets the reason why an icon is refused
 * @returns the digest of its picture; null: none is shown
 * @throws errors of the file system
 */
export async function keepIcon(sourceDir: string, envDir: string, log: (text: string) => void): Promise<string | null> {
  const icon = await findIcon(sourceDir);
  if (!icon) return null;
  if ('problem' in icon) {
    log(`warning: ${icon.problem}`);
    return null;
  }
  await writeFile(join(envDir, KEPT_AS), icon.bytes);
  return iconVersion(icon);
}

interface AppIconsDeps {
  readonly apps: Pick<InstalledApps, 'environmentOf'>;
  readonly samples: () => readonly Pick<SampleApp, 'name' | 'url'>[];
}

/** The icons of the installed apps and of the samples. */
export class AppIcons {
  readonly #deps: AppIconsDeps;

  constructor(deps: AppIconsDeps) {
    this.#deps = deps;
  }

  /**
   * The icon of the installed version. Judged again, since an app may write into its environment.
   * @throws AppNotInstalled, NoIconToShow
   */
  async installed(name: string): Promise<IconPicture> {
    const bytes = await readWithin(this.#deps.apps.environmentOf(name), KEPT_AS, MAX_ICON_BYTES + 1);
    const picture = bytes && iconPicture(bytes);
    if (!picture || 'refusal' in picture) throw new NoIconToShow();
    return picture;
  }

  /** @throws SampleNotFound, NoIconToShow */
  async sample(name: string): Promise<IconPicture> {
    const sample = this.#deps.samples().find((each) => each.name === name);
    if (!sample) throw new SampleNotFound(name);
    return readIcon(sample.url);
  }
}

class SampleNotFound extends NotFound {
  constructor(name: string) {
    super(`There is no sample "${name}".`);
  }
}
