import * as z from 'zod';

/** What an app is called: the name of its entry point in group `robot_apps`. */
export const AppName = z
  .string()
  .regex(/^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/, 'letters, digits, ".", "_" and "-", at most 64')
  .meta({ id: 'AppName' });

/** A full commit id of a git repository. */
export const Commit = z
  .string()
  .regex(/^[0-9a-f]{40}$|^[0-9a-f]{64}$/)
  .meta({ id: 'Commit' });

/** `owner/name` of a repository on the hub. */
export const SpaceId = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9](?:[\w.-]*\w)?\/[A-Za-z0-9](?:[\w.-]*\w)?$/, 'owner/name')
  .meta({ id: 'SpaceId' });

/**
 * Where an app came from. What names it, without the commit, is its identity: the same again is an update, another one
 * with the same app name is a clash.
 */
export const AppSource = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('folder'), path: z.string() }),
    /** Travels with Robot Desktop, wherever that is installed. */
    z.object({ kind: z.literal('sample'), sample: z.string() }),
    z.object({
      kind: z.literal('git'),
      url: z.string(),
      /** The folder of the package within the repository; empty: its top. */
      subdirectory: z.string(),
      /** The branch, tag or commit that was asked for; null: the repository's own choice. */
      revision: z.string().nullable(),
      commit: Commit,
    }),
    z.object({
      kind: z.literal('space'),
      /** The hub's address. */
      hub: z.string(),
      id: SpaceId,
      revision: z.string().nullable(),
      commit: Commit,
    }),
  ])
  .meta({ id: 'AppSource' });
export type AppSource = z.infer<typeof AppSource>;

type Wanted<Source> = Source extends { commit: string } ? Omit<Source, 'commit'> : Source;
/** A source that has not been looked at: the commit that it stands at is not known yet. */
export type WantedSource = Wanted<AppSource>;

/** The commit that a source stands at; null where it has none. */
export function commitOf(source: AppSource): string | null {
  return 'commit' in source ? source.commit : null;
}

/** One text for each identity: equal for two sources that are versions of the same app. */
export function identityOf(source: WantedSource): string {
  switch (source.kind) {
    case 'folder':
      return `folder ${source.path}`;
    case 'sample':
      return `sample ${source.sample}`;
    case 'git':
      return `git ${source.url.replace(/(?:\.git)?\/*$/, '')} ${source.subdirectory}`;
    case 'space':
      // The hub's names differ by more than case.
      return `space ${source.hub} ${source.id.toLowerCase()}`;
  }
}

/** Where an app came from, as a person would write it. */
export function sourceText(source: WantedSource): string {
  switch (source.kind) {
    case 'folder':
      return source.path;
    case 'sample':
      return `the sample ${source.sample}`;
    case 'git':
      return source.subdirectory ? `${source.url}#subdirectory=${source.subdirectory}` : source.url;
    case 'space':
      return `${source.hub}/spaces/${source.id}`;
  }
}
