import { realpath } from 'node:fs/promises';
import { filesToPublish } from './files/files-to-publish.ts';
import type { LocalFile } from './files/local-file.ts';
import { listedByGit, openFolderGit } from './git/folder-git.ts';

/** The files of a folder that a publication would send, found without the hub. @throws NotPublishable, CommandFailed */
export async function localFiles(
  folder: string,
  environment: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<readonly LocalFile[]> {
  const path = await realpath(folder);
  const { git, kind } = await openFolderGit(path, environment, signal);
  const listed = kind === 'own' || kind === 'outer' ? await listedByGit(git) : null;
  return (await filesToPublish(path, listed, null, signal)).files;
}
