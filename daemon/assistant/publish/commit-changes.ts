import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Change, LocalFile } from './compare.ts';
import { answers, type Git, lineLike, OBJECT_ID } from './git-command.ts';

/** Arguments together stay shorter than every system permits. */
const MAX_ARGUMENTS = 6_000;

interface ChangesToCommit {
  /** The commit that the new one continues. */
  readonly parent: string;
  readonly changes: readonly Change[];
  readonly title: string;
  /** A name for commits where git knows none. */
  readonly author: { readonly name: string; readonly email: string };
  /** A folder for temporary files. */
  readonly scratch: string;
}

/**
 * Makes a commit without touching the author's index, branch or files. Contents are stored as they are, without filters.
 * @returns its id
 */
export async function commitChanges(
  git: Git,
  { parent, changes, title, author, scratch }: ChangesToCommit,
): Promise<string> {
  const index = join(scratch, 'index');
  await rm(index, { force: true });
  const env = { GIT_INDEX_FILE: index };
  await git(['read-tree', parent], { env });
  const removed = changes.flatMap(({ local, path }) => (local ? [] : [path]));
  for (const paths of inBatches(removed, (path) => path.length)) {
    await git(['update-index', '--force-remove', '--', ...paths], { env });
  }
  const written = changes.flatMap(({ local }) => (local ? [local] : []));
  for (const files of inBatches(written, ({ path }) => path.length + 60)) {
    const ids = await storedObjects(git, files, scratch);
    const entries = files.flatMap(({ path, isExecutable }, at) => [
      '--cacheinfo',
      `${isExecutable ? '100755' : '100644'},${ids[at]},${path}`,
    ]);
    await git(['update-index', '--add', '--replace', ...entries], { env });
  }
  const tree = idIn(await git(['write-tree'], { env }));
  return idIn(await git(['commit-tree', tree, '-p', parent, '-m', title], { env: await identity(git, author) }));
}

/** Stores the contents of files as git objects. @returns their ids */
async function storedObjects(git: Git, files: readonly LocalFile[], scratch: string): Promise<string[]> {
  const paths = await Promise.all(
    files.map(async ({ path, content }, at) => {
      if (!(content instanceof Uint8Array)) return path;
      const copy = join(scratch, `content-${at}`);
      await writeFile(copy, content);
      return copy;
    }),
  );
  const lines = await git(['hash-object', '-w', '--no-filters', '--', ...paths]);
  const ids = lines.filter((line) => OBJECT_ID.test(line));
  if (ids.length !== files.length) throw new Error(`git stored ${ids.length} of ${files.length} files`);
  return ids;
}

/** The variables that name the author of a commit where git's configuration does not, and git would make up a name. */
async function identity(git: Git, { name, email }: ChangesToCommit['author']): Promise<Record<string, string>> {
  const isSet = (setting: string) => answers(git, ['config', '--get', setting]);
  if ((await isSet('user.name')) && (await isSet('user.email'))) return {};
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  };
}

function idIn(lines: readonly string[]): string {
  const id = lineLike(lines, OBJECT_ID);
  if (id === null) throw new Error('git printed no object id');
  return id;
}

function* inBatches<T>(items: readonly T[], lengthOf: (item: T) => number): Generator<T[]> {
  let batch: T[] = [];
  let length = 0;
  for (const item of items) {
    batch.push(item);
    length += lengthOf(item);
    if (length > MAX_ARGUMENTS) {
      yield batch;
      [batch, length] = [[], 0];
    }
  }
  if (batch.length > 0) yield batch;
}
