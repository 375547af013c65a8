import * as z from 'zod';
import { named, namedStrictly, Timestamp } from '../common/common.ts';
import { AppName, AppSource, Commit } from './app-source.ts';
import { AppNeed, AssignedNeed } from './needs.ts';

/** The settings page that an app serves itself on the daemon's host, from its `custom_app_url`. */
export const SettingsPage = named('SettingsPage', {
  port: z.int().min(1).max(65_535),
  /** With its query, `/`. */ path: z.string(),
});
export type SettingsPage = z.infer<typeof SettingsPage>;

/** The metadata of a package, from `pyproject.toml` and the front matter of `README.md`. */
export const AppManifest = named('AppManifest', {
  name: AppName,
  /** `pyproject.toml`'s project name: the Python distribution. */
  distribution: z.string(),
  version: z.string(),
  /** The module for `python -m`, `hello_wave.main`. */
  module: z.string(),
  className: z.string(),
  title: z.string(),
  description: z.string(),
  emoji: z.string(),
  requiresPython: z.string().nullable(),
  /** The declared dependencies, as in `pyproject.toml`. */
  dependencies: z.array(z.string()).default([]),
  /** Whether its environment also has the common libraries. */
  baseline: z.boolean(),
  /** The models that it uses. */
  needs: z.array(AppNeed).default([]),
});
export type AppManifest = z.infer<typeof AppManifest>;

/** The address of an app's own icon on the daemon, another one for another picture; null: there is none to show. */
export const IconAddress = z.string().nullable().default(null);

/** One version of an installed app. */
export const AppVersion = named('AppVersion', {
  version: z.string(),
  source: AppSource,
  installedAt: Timestamp,
});
export type AppVersion = z.infer<typeof AppVersion>;

/** A return to the earlier version. */
export const Rollback = named('Rollback', {
  /** The version that was left. */
  from: AppVersion,
  at: Timestamp,
  /** Whether the daemon did it because the update failed. */
  automatic: z.boolean(),
  /** The reason, in a sentence or two. */
  reason: z.string(),
});
export type Rollback = z.infer<typeof Rollback>;

/** An app in its own environment, ready to start. */
export const InstalledApp = AppManifest.extend({
  /** The models that it uses, with the endpoints that a user assigned. */
  needs: z.array(AssignedNeed).default([]),
  icon: IconAddress,
  source: AppSource,
  /** null: the app has no settings page. */
  settingsPage: SettingsPage.nullable().default(null),
  installedAt: Timestamp,
  /** The version of the Python that runs it, `3.11.7`. */
  pythonVersion: z.string(),
  /** The earlier version, for a rollback; null: none. */
  previous: AppVersion.nullable().default(null),
  /** Whether updates are off for this app. */
  pinned: z.boolean().default(false),
  /** Whether this is a new update on trial: if its first start fails at once, the earlier version comes back. */
  onTrial: z.boolean().default(false),
  /** The last rollback, until the next update; null: none. */
  rolledBack: Rollback.nullable().default(null),
  /** Its last reset, while it can be undone, at least until then; null: none. */
  reset: z.object({ at: Timestamp, until: Timestamp }).nullable().default(null),
  /** A newer version at the source; null: none known. */
  update: z.object({ commit: Commit, seenAt: Timestamp }).nullable().default(null),
  /** Why the last check for updates failed; null: it succeeded, or was not made yet. */
  updateProblem: z.string().nullable().default(null),
  /** Other installed apps whose settings pages use the same port. */
  sharesPortWith: z.array(AppName).default([]),
}).meta({ id: 'InstalledApp' });
export type InstalledApp = z.infer<typeof InstalledApp>;

/** The disk use of an installed app, in bytes. Files that environments share with the download cache count fully. */
export const AppDisk = named('AppDisk', {
  environment: z.int(),
  previous: z.int(),
  /** The files that the app has written. */ files: z.int(),
});
export type AppDisk = z.infer<typeof AppDisk>;

/** A valid shell variable name. Names of the daemon, and those that change how Python runs, are refused. */
export const VariableName = z
  .string()
  .max(128)
  .regex(/^[A-Za-z_]\w*$/, 'A name has letters, digits and "_", and does not begin with a digit.')
  .refine(
    (name) => !/^(ROBOT_|PYTHON|LD_|DYLD_|PATH$)/i.test(name),
    'This variable belongs to the system or the daemon, and cannot be set for an app.',
  )
  .meta({ id: 'VariableName' });

/** An environment variable of an app. The value of a secret is null. */
export const AppVariable = named('AppVariable', {
  name: VariableName,
  value: z.string().nullable(),
  secret: z.boolean(),
  /** The saved secret can no longer be read, so that the app does not start until it is set again. */
  unreadable: z.literal(true).optional(),
});
export type AppVariable = z.infer<typeof AppVariable>;

/** A bundled app. */
export const SampleApp = AppManifest.pick({ name: true, title: true, description: true, emoji: true, needs: true })
  .extend({
    /** The address to install it from. */
    url: z.string(),
    /** Whether its install needs the package index. */
    needsNetwork: z.boolean(),
    icon: IconAddress,
  })
  .meta({ id: 'SampleApp' });
export type SampleApp = z.infer<typeof SampleApp>;

/** The app that starts when the robot first wakes up, and when an antenna of the sleeping robot is touched. */
export const StartupApp = namedStrictly('StartupApp', { startupApp: AppName.nullable() });

/** A request to install an app. */
export const InstallRequest = namedStrictly('InstallRequest', {
  url: z
    .string()
    .min(1, 'Give an address, or the full path of a folder.')
    .max(4096, 'The address is too long.')
    .describe(
      'A Space of the hub, a git repository (#revision, #subdirectory=…), an absolute folder path, or a file: address',
    ),
  revision: z.string().min(1).max(200).optional().describe('A branch, tag or commit of it'),
  downloadPython: z
    .boolean()
    .optional()
    .describe('Download a Python for the app with uv if no installed one suits it, see `pythonDownload` of a failure'),
});
export type InstallRequest = z.infer<typeof InstallRequest>;

/** The downloads that installs of apps keep for later installs. */
export const DownloadCache = named('DownloadCache', {
  path: z.string(),
  bytes: z.int(),
  /** The part that no installed app shares files with. Where a disk clones files instead of linking them: all. */
  unusedBytes: z.int(),
  /** false: there are so many files that the sizes are those of a part. */
  isComplete: z.boolean(),
});
export type DownloadCache = z.infer<typeof DownloadCache>;

/** The downloads that are left, and the disk space that the removal freed. */
export const PrunedDownloadCache = DownloadCache.extend({ freedBytes: z.int() }).meta({ id: 'PrunedDownloadCache' });
export type PrunedDownloadCache = z.infer<typeof PrunedDownloadCache>;
