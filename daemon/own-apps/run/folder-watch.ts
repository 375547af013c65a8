import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { watch } from 'chokidar';
import type { Clock } from '../../shared/clock.ts';
import { isFolder } from '../../shared/files/make-folder.ts';
import { isUnwatched, isWatchedFile } from './change-effect.ts';

/** Editors write a file in several steps, and several files at once. */
const DEBOUNCE_MS = 30;
/** A larger file counts as changed when its time does. */
const MAX_READ_BYTES = 4 * 1024 ** 2;

export interface FolderWatchListeners {
  /** The files whose content is another one, with slashes from the folder. */
  readonly onChange: (paths: readonly string[]) => void;
  /** The folder does not exist any more. */
  readonly onGone: () => void;
  /** Changes may go unnoticed, as when the system watches as many files as it can. */
  readonly onError: (error: Error) => void;
}

export interface FolderWatch {
  close(): Promise<void>;
}

/**
 * Watches the files of an app. Compares contents, so that a file which is only touched or written again is no change.
 * @returns once the contents are known that later ones are compared with
 */
export async function watchFolder(clock: Clock, folder: string, listeners: FolderWatchListeners): Promise<FolderWatch> {
  const { onChange, onGone, onError } = listeners;
  const contents = new Map<string, string>();
  let touched = new Set<string>();
  let cancelCompare: (() => void) | null = null;
  let comparing: Promise<void> = Promise.resolve();
  let closed = false;
  const inside = (path: string) => relative(folder, path).split(sep).join('/');

  const compare = async (): Promise<void> => {
    const paths = [...touched];
    touched = new Set();
    const changed: string[] = [];
    for (const path of paths) {
      const content = await contentOf(join(folder, path));
      if (content === (contents.get(path) ?? null)) continue;
      if (content === null) contents.delete(path);
      else contents.set(path, content);
      changed.push(path);
    }
    if (closed) return;
    if (!(await isFolder(folder))) onGone();
    else if (changed.length > 0) onChange(changed);
  };
  const compareSoon = () => {
    cancelCompare ??= clock.after(DEBOUNCE_MS, () => {
      cancelCompare = null;
      comparing = comparing.then(compare).catch(onError);
    });
  };

  const watcher = watch(folder, {
    ignored: (path, stats) => {
      const file = inside(path);
      return file !== '' && (isUnwatched(file) || (stats?.isFile() === true && !isWatchedFile(file)));
    },
    followSymlinks: false,
    atomic: false,
  });
  const ready = Promise.withResolvers<void>();
  let isReady = false;
  watcher.on('all', (event, path) => {
    if (event !== 'addDir' && event !== 'unlinkDir') touched.add(inside(path));
    if (isReady) compareSoon();
  });
  watcher.on('error', (error) => onError(error as Error));
  watcher.on('ready', () => ready.resolve());
  await ready.promise;
  for (const path of touched) {
    const content = await contentOf(join(folder, path));
    if (content !== null) contents.set(path, content);
  }
  touched = new Set();
  isReady = true;
  return {
    close: async () => {
      closed = true;
      cancelCompare?.();
      await watcher.close();
      await comparing;
    },
  };
}

/** A mark of a file's content; null: it does not exist, or may not be read. */
async function contentOf(path: string): Promise<string | null> {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) return null;
    if (stats.size > MAX_READ_BYTES) return `${stats.size} ${stats.mtimeMs}`;
    return createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
  } catch {
    return null;
  }
}
