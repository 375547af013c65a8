import * as z from 'zod';

/** The name of an app: its entry point in the group `robot_apps`. */
export const AppName = z
  .string()
  .regex(/^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/, 'letters, digits, ".", "_" and "-", at most 64')
  .meta({ id: 'AppName' });

/** A full commit id of a git repository. */
export const Commit = z
  .string()
  .regex(/^[0-9a-f]{40}$|^[0-9a-f]{64}$/)
  .meta({ id: 'Commit' });

/** A hash of the files of a repository's folder, equal while they are: a git tree, or a digest of the hub's list. */
const Tree = z
  .string()
  .regex(/^[0-9a-f]{40}$|^[0-9a-f]{64}$/)
  .meta({ id: 'Tree' });

/** `owner/name` of a repository on the hub. */
export const SpaceId = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9](?:[\w.-]*\w)?\/[A-Za-z0-9](?:[\w.-]*\w)?$/, 'owner/name')
  .meta({ id: 'SpaceId' });

/**
 * Whether the hub could have a Space of this name, or an account. Its rule is narrower than the form of `SpaceId`, which
 * records of earlier versions have.
 */
export function isSpaceName(name: string): boolean {
  return /^(?!.*(?:--|\.\.|\.git$))[A-Za-z0-9](?:[\w.-]{0,94}[A-Za-z0-9_])?$/.test(name);
}

/**
 * The source of an app. Without the commit it is the app's identity: a second install from it is an update, one from
 * another source with the same app name is a clash.
 */
export const AppSource = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('folder'), path: z.string() }),
    /** Bundled with Robot Desktop. */
    z.object({ kind: z.literal('sample'), sample: z.string() }),
    z.object({
      kind: z.literal('git'),
      url: z.string(),
      /** The folder of the package within the repository; empty: its top. */
      subdirectory: z.string(),
      /** The requested branch, tag or commit; null: the repository's default. */
      revision: z.string().nullable(),
      commit: Commit,
      /** Of the subdirectory; absent: the app is at the top, or an earlier version installed it. */
      tree: Tree.optional(),
    }),
    z.object({
      kind: z.literal('space'),
      /** The hub's address. */
      hub: z.string(),
      id: SpaceId,
      /** The folder of the package within the Space; absent: its top. */
      subdirectory: z.string().min(1).optional(),
      revision: z.string().nullable(),
      commit: Commit,
      tree: Tree.optional(),
    }),
  ])
  .meta({ id: 'AppSource' });
export type AppSource = z.infer<typeof AppSource>;

type Wanted<Source> = Source extends { commit: string } ? Omit<Source, 'commit' | 'tree'> : Source;
/** A source that was not yet fetched: its commit is unknown. */
export type RequestedSource = Wanted<AppSource>;

/** A source without the version that was fetched from it. */
export function requestedOf(source: AppSource): RequestedSource {
  if (!('commit' in source)) return source;
  const { commit: _, tree: __, ...wanted } = source;
  return wanted;
}

/** Whether a version of a source has the same files as another of it. A commit elsewhere in the repository changes none. */
export function isSameContent(
  source: AppSource,
  other: { readonly commit: string; readonly tree?: string | undefined },
): boolean {
  if (!('commit' in source)) return false;
  return source.commit === other.commit || (source.tree !== undefined && source.tree === other.tree);
}

/** A source's identity as text: equal for versions of the same app. */
export function identityOf(source: RequestedSource): string {
  switch (source.kind) {
    case 'folder':
      return `folder ${source.path}`;
    case 'sample':
      return `sample ${source.sample}`;
    case 'git':
      return `git ${source.url.replace(/(?:\.git)?\/*$/, '')} ${source.subdirectory}`;
    case 'space':
      // Names on the hub ignore case.
      return `space ${source.hub} ${source.id.toLowerCase()}${source.subdirectory ? ` ${source.subdirectory}` : ''}`;
  }
}
