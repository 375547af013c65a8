import { chmod, lstat, mkdir, open, readFile, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isOutside } from '../../app-package/package-links.ts';
import { savingIn } from '../../shared/files/storage-errors.ts';

/** Publications leave it out, so that none has what an interruption has left. */
const draftOf = (file: string) => join(dirname(file), `.${basename(file)}.unfinished`);
const MAX_BYTES = 1024 * 1024;

/** The files of an author's folder, for small edits. Links, and what they lead to, are left alone. */
export class AuthorFiles {
  readonly #folder: string;

  /** @param folder an absolute path, links resolved */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @returns the text with its byte order mark; null for a file that is missing, a link, too large, or no UTF-8 */
  async read(path: string): Promise<string | null> {
    const file = await this.#fileAt(path);
    if (file === null) return null;
    const bytes = await readFile(file).catch(() => null);
    const text = bytes?.toString('utf8') ?? '';
    return bytes && Buffer.from(text).equals(bytes) ? text : null;
  }

  /**
   * Creates a file that is not there.
   * @returns whether it was
   * @throws StorageError
   */
  async create(path: string, text: string): Promise<boolean> {
    const file = join(this.#folder, path);
    if (!(await this.#isInside(dirname(file)))) return false;
    return savingIn(dirname(file), async () => {
      await mkdir(dirname(file), { recursive: true });
      const handle = await open(file, 'wx').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return null;
        throw error;
      });
      if (!handle) return false;
      try {
        await handle.writeFile(text);
      } catch (error) {
        await rm(file, { force: true });
        throw error;
      } finally {
        await handle.close();
      }
      return true;
    });
  }

  /**
   * Replaces a file by an edit of it, whole or not at all; it keeps its mode.
   * @param edit returns the text itself or null to leave it
   * @returns whether it has changed
   * @throws StorageError
   */
  async edit(path: string, edit: (text: string) => string | null): Promise<boolean> {
    const file = await this.#fileAt(path);
    const before = file === null ? null : await this.read(path);
    if (file === null || before === null) return false;
    const after = edit(before);
    if (after === null || after === before) return false;
    await savingIn(dirname(file), async () => {
      const draft = draftOf(file);
      try {
        await rm(draft, { force: true });
        await using handle = await open(draft, 'wx', 0o600);
        await handle.writeFile(after);
        await handle.sync();
        await chmod(draft, (await lstat(file)).mode & 0o777);
        await rename(draft, file);
      } catch (error) {
        await rm(draft, { force: true }).catch(() => {});
        throw error;
      }
    });
    return true;
  }

  /** Removes what an interruption of `edit` has left. */
  async removeDraft(path: string): Promise<void> {
    await rm(draftOf(join(this.#folder, path)), { force: true });
  }

  async #fileAt(path: string): Promise<string | null> {
    const file = join(this.#folder, path);
    const found = await lstat(file).catch(() => null);
    return found?.isFile() && found.size <= MAX_BYTES && (await this.#isInside(dirname(file))) ? file : null;
  }

  /** Whether a folder is this one or below it, also where its links lead. */
  async #isInside(folder: string): Promise<boolean> {
    return !isOutside(this.#folder, await realpath(folder).catch(() => '/'));
  }
}
