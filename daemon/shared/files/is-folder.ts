import { stat } from 'node:fs/promises';

/** Whether there is a folder at a path, which may be a link to it. */
export function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
