import * as z from 'zod';
import { named, namedStrictly, Timestamp } from '../common/common.ts';
import { AppName, SpaceId } from './app-source.ts';
import { IconAddress } from './apps.ts';

/** A short id of an app's folder, equal as long as the folder keeps its path. */
export const OwnAppId = z
  .string()
  .regex(/^[0-9a-f]{16}$/, '16 hexadecimal digits')
  .meta({ id: 'OwnAppId' });

export const AppTemplate = z.enum(['default', 'conversation']).meta({ id: 'AppTemplate' });
export type AppTemplate = z.infer<typeof AppTemplate>;

/** The finding of a check. A problem prevents the install or the publication, a warning neither. */
export const CheckFinding = named('CheckFinding', {
  /** The stable id of the rule, `no-entry-point`. */
  id: z.string(),
  severity: z.enum(['problem', 'warning']),
  /** The finding in a sentence or two. */
  message: z.string(),
  /** The action, if the message does not say it. */
  action: z.string().nullable(),
  /** The file, with slashes from the app's folder; null: the folder as a whole. */
  file: z.string().nullable(),
  /** The line, counted from 1; null: the file as a whole. */
  line: z.int().min(1).nullable(),
  /** Whether `fix` repairs it. */
  fixable: z.boolean(),
});
export type CheckFinding = z.infer<typeof CheckFinding>;

/** The findings of one check, in the order of files and lines, problems first. */
export const CheckReport = named('CheckReport', {
  checkedAt: Timestamp,
  /** Whether the package was also built, installed and loaded. */
  built: z.boolean(),
  findings: z.array(CheckFinding),
});
export type CheckReport = z.infer<typeof CheckReport>;

/** A run of an app from its folder, which starts again when a file changes. */
export const OwnAppRun = named('OwnAppRun', {
  /**
   * `preparing`: its environment is built. `running`: it is in the slot. `waiting`: it ended by itself or could not
   * start, and the next change of a file starts it.
   */
  state: z.enum(['off', 'preparing', 'running', 'waiting']),
  /** The job that builds its environment; null: none. */
  jobId: z.string().nullable(),
  /** How often a change of a file has started it again. */
  reloads: z.int().min(0),
  /** Why the last change was not taken, in a sentence; the earlier code keeps running. null: it was taken. */
  problem: z.string().nullable(),
  /** The findings of the quick check of the last change; where it was not taken, only those that prevent it. */
  findings: z.array(CheckFinding),
});
export type OwnAppRun = z.infer<typeof OwnAppRun>;

/** The Space that an app is published as. */
export const PublishedSpace = named('PublishedSpace', {
  id: SpaceId,
  /** Its page on the hub. */
  url: z.string(),
  private: z.boolean(),
  /** The version that was published last. */
  version: z.string(),
  publishedAt: Timestamp,
});
export type PublishedSpace = z.infer<typeof PublishedSpace>;

/** An app that the user writes, in a folder of their own. */
export const OwnApp = named('OwnApp', {
  id: OwnAppId,
  /** The absolute path. */
  folder: z.string(),
  /** From the folder as it was read last; null: there is no valid app in it now. */
  name: AppName.nullable(),
  title: z.string(),
  version: z.string().nullable(),
  emoji: z.string(),
  icon: IconAddress,
  /** Whether the folder exists. */
  exists: z.boolean(),
  /** The last check since the daemon started; null: none. */
  check: CheckReport.nullable(),
  run: OwnAppRun,
  /** null: not published from here. */
  space: PublishedSpace.nullable(),
});
export type OwnApp = z.infer<typeof OwnApp>;

export const OwnApps = named('OwnApps', {
  /** The ones used last first. */
  apps: z.array(OwnApp),
  /** The folder that is proposed for new apps. */
  proposedFolder: z.string(),
  /** Whether the daemon can show folders and files to the user: it runs where they see windows. */
  canOpen: z.boolean(),
});
export type OwnApps = z.infer<typeof OwnApps>;

/** The effects of a publication, before it is made. */
export const PublicationPreview = named('PublicationPreview', {
  /** The account that publishes. */
  account: z.string(),
  id: SpaceId,
  url: z.string(),
  /** Whether the Space exists already. */
  exists: z.boolean(),
  /** Whether the existing Space is private; null: it does not exist yet. */
  private: z.boolean().nullable(),
  /** The version of the Space; null: it does not exist, or has none. */
  publishedVersion: z.string().nullable(),
  /** The version that this publication will have. */
  nextVersion: z.string(),
  /** The files that differ; empty: nothing to publish. */
  changes: z.array(
    z.object({ path: z.string(), change: z.enum(['added', 'changed', 'removed']), bytes: z.int().min(0) }),
  ),
  /** Whether someone changed the Space since this folder was published, in files that would be overwritten. */
  changedElsewhere: z.boolean(),
});
export type PublicationPreview = z.infer<typeof PublicationPreview>;

export const PublishRequest = namedStrictly('PublishRequest', {
  /** Of a new Space; default: private. Another one than that of an existing Space is refused. */
  visibility: z.enum(['public', 'private']).optional(),
  /** The version; default: the next patch version if the published one has the same. */
  version: z.string().min(1).max(64).optional(),
  /** Accepts that changes of the Space are overwritten that were made elsewhere. */
  overwrite: z.boolean().optional(),
});
export type PublishRequest = z.infer<typeof PublishRequest>;

export const NewOwnApp = namedStrictly('NewOwnApp', {
  /** The name in the words of its author: `My first app`, `my_app`. */
  name: z.string().min(1).max(100),
  /** The existing folder in which the app's folder is created, an absolute path. */
  destination: z.string().min(1).max(4096),
  template: AppTemplate.default('default'),
});
export type NewOwnApp = z.infer<typeof NewOwnApp>;
