import { Commit } from '../contract/apps/app-source.ts';
import { isChosen } from './choose-files.ts';
import type { StoredFile } from './files-at-commit.ts';
import type { RepositoryRecord } from './repository-record.ts';

/** An endpoint that uses files of a model. */
export interface ModelUser {
  /** Its name for a person. */
  readonly endpoint: string;
  /** `owner/name` */
  readonly repository: string;
  /** A branch, tag or commit; null: the main branch. */
  readonly revision: string | null;
  /** Paths in the repository, or patterns of them. */
  readonly files: readonly string[] | 'all';
}

/** The names of the endpoints that use a file. Those whose branch is not known yet count. */
export function usersOf(
  { repository, commit, path }: Pick<StoredFile, 'repository' | 'commit' | 'path'>,
  users: readonly ModelUser[],
  revisions: RepositoryRecord['revisions'],
): string[] {
  return users
    .filter((user) => {
      const isCommit = user.revision !== null && Commit.safeParse(user.revision).success;
      const at = isCommit ? user.revision : (revisions[user.revision ?? ''] ?? commit);
      return user.repository === repository && at === commit && uses(user, path);
    })
    .map(({ endpoint }) => endpoint)
    .sort();
}

function uses({ files }: ModelUser, path: string): boolean {
  return files === 'all' || files.some((wanted) => isChosen(path, wanted));
}
