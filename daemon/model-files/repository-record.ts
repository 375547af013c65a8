import * as z from 'zod';
import { Commit } from '../contract/apps/app-source.ts';

/** Its name in the folder of a repository. */
export const REPOSITORY_RECORD = 'repository.json';

const files = z.array(z.object({ path: z.string(), size: z.int().nonnegative(), sha256: z.string().nullable() }));

/** The daemon's knowledge of a repository that it has files of; stored beside them. */
export const RepositoryRecord = z.object({
  /** `owner/name` */
  repository: z.string(),
  /** The commit that each branch or tag last was; the empty name: the main branch. */
  revisions: z.record(z.string(), Commit),
  /** The .gguf files on the hub at a commit. */
  commits: z.record(Commit, files),
  /** The files that an engine in a container reads, at a commit. */
  repositories: z.record(Commit, files).default({}),
  /** When each file, `commit/path`, was last used; `commit/.`: the repository as a whole. */
  used: z.record(z.string(), z.iso.datetime()),
});
export type RepositoryRecord = z.infer<typeof RepositoryRecord>;

export const emptyRecord = (repository: string): RepositoryRecord => ({
  repository,
  revisions: {},
  commits: {},
  repositories: {},
  used: {},
});
