import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { basename, isAbsolute, join } from 'node:path';
import { iconAddressIn } from '../app-package/icon/package-icon.ts';
import { readManifest } from '../app-package/manifest.ts';
import { readDeclarations } from '../app-package/package-files.ts';
import { isOutside } from '../app-package/package-links.ts';
import type { OwnApp } from '../contract/apps/own-apps.ts';
import { displayText, visibleText } from '../shared/display-text.ts';
import { isFolder } from '../shared/files/make-folder.ts';
import { InvalidBody } from '../shared/invalid-input.ts';
import { FileNotInFolder, FolderNotFound } from './errors.ts';

/** The facts about a folder that the list shows. */
export type FolderContent = Pick<OwnApp, 'name' | 'title' | 'version' | 'emoji' | 'icon' | 'exists'>;

/** The id of an own app: equal as long as the folder keeps its path. @param folder links resolved */
export function ownAppId(folder: string): string {
  return createHash('sha256').update(folder).digest('hex').slice(0, 16);
}

/**
 * The folder at a path, links resolved.
 * @throws InvalidBody for a relative path or a file, FolderNotFound
 */
export async function existingFolder(path: string, field: string): Promise<string> {
  const refuse = (message: string) => new InvalidBody(message, [{ path: [field], message }]);
  if (!isAbsolute(path)) throw refuse('Give the absolute path of a folder.');
  if (path.includes('\0')) throw refuse('A path cannot contain the character NUL.');
  const folder = await realpath(path).catch(() => null);
  if (folder === null) throw new FolderNotFound(visibleText(path));
  if (!(await isFolder(folder))) throw refuse(`${visibleText(path)} is a file. Choose the folder that holds it.`);
  return folder;
}

/** Reads what the list shows of a folder, which may have no valid app now, or not exist. Never rejects. */
export async function readFolderContent(folder: string): Promise<FolderContent> {
  const bare = { name: null, title: displayText(basename(folder), 80) || folder, version: null, emoji: '' };
  if (!(await isFolder(folder))) return { ...bare, icon: null, exists: false };
  const icon = await iconAddressIn(folder, `/api/apps/own/${ownAppId(folder)}`);
  const { pyproject, readme } = await readDeclarations(folder).catch(() => ({ pyproject: null, readme: null }));
  const { manifest } = readManifest(pyproject, readme);
  if (!manifest) return { ...bare, icon, exists: true };
  const { name, title, version, emoji } = manifest;
  return { name, title, version, emoji, icon, exists: true };
}

/**
 * The real path of a file of an own app.
 * @param file with slashes from the folder
 * @throws FileNotInFolder also for a link that leads out of the folder
 */
export async function fileInFolder(folder: string, file: string): Promise<string> {
  const path = file.includes('\0') ? null : await realpath(join(folder, file)).catch(() => null);
  if (path === null || isOutside(await realpath(folder), path)) throw new FileNotInFolder(visibleText(file));
  return path;
}

/** Files that a system's file manager runs instead of showing them, Python's where an installer set it up so. */
const programs: Partial<Record<NodeJS.Platform, RegExp>> = {
  win32: /\.(?:py|pyw|pyz|exe|com|bat|cmd|ps1|vbs|js|jse|wsf|msi|scr|lnk|url|hta|reg)$/i,
  darwin: /\.(?:py|pyw|command|tool|app|sh|terminal|workflow|pkg|scpt)$/i,
  linux: /\.(?:desktop|appimage|run|jar)$/i,
};

/** Whether opening a file would run it. */
export function isProgram(path: string, platform: NodeJS.Platform): boolean {
  return programs[platform]?.test(path) ?? false;
}
