import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { NotFound } from '../../shared/domain-error.ts';
import { readWithin } from '../package-files.ts';
import { type PackageFinding, warning } from '../package-finding.ts';
import { type IconPicture, iconPicture, MAX_ICON_BYTES } from './icon-picture.ts';

/** The names of an icon, at the top of the package. The first one that is there counts. */
const ICON_FILES: readonly string[] = ['icon.svg', 'icon.png'];

/** @param path with slashes from the package's folder */
export const isIconFile = (path: string): boolean => ICON_FILES.includes(path);

/** An icon that is not shown, and why, in a sentence. */
interface RefusedIcon {
  readonly file: string;
  readonly problem: string;
}

/** Finds and judges the icon of a package. Never rejects. @returns null when it has none */
export async function findIcon(folder: string): Promise<IconPicture | RefusedIcon | null> {
  for (const file of ICON_FILES) {
    const entry = await lstat(join(folder, file)).catch(() => null);
    if (!entry) continue;
    const refused = (refusal: string) => ({ file, problem: `${file} ${refusal}, so it is not shown.` });
    const bytes = await readWithin(folder, file, MAX_ICON_BYTES + 1);
    if (bytes) {
      const judged = iconPicture(bytes);
      return 'refusal' in judged ? refused(judged.refusal) : judged;
    }
    if (entry.isDirectory()) return refused('is a folder');
    return refused(entry.isSymbolicLink() ? 'is a link that leads to no file of the package' : 'cannot be read');
  }
  return null;
}

/** The finding that the icon of a package is not shown; none for a package without an icon. */
export async function iconFindings(folder: string): Promise<PackageFinding[]> {
  const icon = await findIcon(folder);
  return icon && 'problem' in icon ? [warning('bad-icon', icon.problem, { file: icon.file })] : [];
}

/** The app has no icon, or none that is shown: `message` says why. */
export class NoIconToShow extends NotFound {
  constructor(why = 'The app has no icon.') {
    super(why);
  }
}

/** The icon of a package. @throws NoIconToShow */
export async function readIcon(folder: string): Promise<IconPicture> {
  const icon = await findIcon(folder);
  if (!icon) throw new NoIconToShow();
  if ('problem' in icon) throw new NoIconToShow(icon.problem);
  return icon;
}

/** A digest of a picture: another picture has another one. */
export const iconVersion = ({ bytes }: IconPicture): string =>
  createHash('sha256').update(bytes).digest('hex').slice(0, 16);

/** The address of an icon on the daemon. @param owner the address of its app, `/api/apps/installed/dance` */
export const iconAddress = (owner: string, version: string): string => `${owner}/icon?version=${version}`;

/** The address of the icon of a package; null: none is shown. Never rejects. @param owner see `iconAddress` */
export async function iconAddressIn(folder: string, owner: string): Promise<string | null> {
  const icon = await findIcon(folder);
  return icon && 'bytes' in icon ? iconAddress(owner, iconVersion(icon)) : null;
}
