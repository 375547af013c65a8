import { randomInt } from 'node:crypto';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { KeyedMutex } from '../async/mutex.ts';
import { systemNow } from '../clock.ts';
import { isFolder } from './make-folder.ts';
import { setFolderAside } from './set-aside.ts';
import { savingIn } from './storage-errors.ts';

/** Writes of the same file, which run in the order of the calls. */
const writes = new KeyedMutex();
const MAX_DRAFT = 2 ** 32;

/**
 * Replaces a file of the data folder, readable by its owner only: a reader sees the old content or the new one, even
 * after a crash. If it fails, the old content stays. A folder in the place of the file is renamed.
 *
 * No library does it: write-file-atomic takes a write that a full disk cut short for a whole one.
 * @param options `fsync`: whether the new content also outlasts a power failure; default: true
 * @throws DiskFull, DataFolderReadOnly
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  { fsync = true }: { readonly fsync?: boolean } = {},
): Promise<void> {
  const replace = async () => {
    const target = await realpath(path).catch(() => path); // a link stays a link
    const draft = `${target}.${randomInt(MAX_DRAFT)}`;
    try {
      await writeDraft(draft, content, { fsync, owner: await stat(target).catch(() => null) });
      await rename(draft, target).catch(async (error: unknown) => {
        if (!(await isFolder(target))) throw error;
        setFolderAside(target, systemNow());
        await rename(draft, target);
      });
    } catch (error) {
      await rm(draft, { force: true }).catch(() => {});
      throw error;
    }
  };
  await writes.run(resolve(path), () => savingIn(dirname(path), replace));
}

/**
 * The name of the file for which a process wrote a draft, before it was killed; null: the name is none of a draft. A name
 * with a number at its end may also be of another file: look at the result.
 */
export const targetOfDraft = (name: string): string | null => /^(.+)\.\d+$/s.exec(name)?.[1] ?? null;

async function writeDraft(
  draft: string,
  content: string | Uint8Array,
  { fsync, owner }: { readonly fsync: boolean; readonly owner: { readonly uid: number; readonly gid: number } | null },
): Promise<void> {
  await using file = await open(draft, 'wx', 0o600);
  await file.writeFile(content); // to the last byte, or it fails
  // Root gives the file back to its owner.
  if (owner && process.getuid?.() === 0) await file.chown(owner.uid, owner.gid);
  if (fsync) await file.sync();
}
