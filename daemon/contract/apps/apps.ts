import * as z from 'zod';
import { Timestamp } from '../common/common.ts';
import { AppName, AppSource, Commit } from './app-source.ts';

/** The page that an app serves itself, from its `custom_app_url`. It is found on the daemon's own host. */
export const SettingsPage = z
  .object({ port: z.int().min(1).max(65_535), /** With its query, `/`. */ path: z.string() })
  .meta({ id: 'SettingsPage' });
export type SettingsPage = z.infer<typeof SettingsPage>;

/** What a package says about itself, read from `pyproject.toml` and the front matter of `README.md`. */
export const AppManifest = z
  .object({
    name: AppName,
    /** `pyproject.toml`'s project name: the Python distribution. */
    distribution: z.string(),
    version: z.string(),
    /** What `python -m` runs, `hello_wave.main`. */
    module: z.string(),
    className: z.string(),
    title: z.string(),
    description: z.string(),
    emoji: z.string(),
    requiresPython: z.string().nullable(),
    /** What it declares to need, as `pyproject.toml` writes it. */
    dependencies: z.array(z.string()).default([]),
    /** Whether its environment also gets the libraries that app authors lean on. */
    baseline: z.boolean(),
  })
  .meta({ id: 'AppManifest' });
export type AppManifest = z.infer<typeof AppManifest>;

/** Names that a shell could set. Those of the daemon, and those that change how Python runs, are not for a user to set. */
export const VariableName = z
  .string()
  .max(128)
  .regex(/^[A-Za-z_]\w*$/, 'A name has letters, digits and "_", and does not begin with a digit.')
  .refine(
    (name) => !/^(ROBOT_|PYTHON|LD_|DYLD_|PATH$)/i.test(name),
    'This variable belongs to the system or the daemon, and cannot be set for an app.',
  )
  .meta({ id: 'VariableName' });

/** One version of an installed app. */
export const AppVersion = z
  .object({
    version: z.string(),
    source: AppSource,
    installedAt: Timestamp,
  })
  .meta({ id: 'AppVersion' });
export type AppVersion = z.infer<typeof AppVersion>;

/** A return to the version before. */
export const Rollback = z
  .object({
    /** The version that was left. */
    from: AppVersion,
    at: Timestamp,
    /** Nobody asked: the update did not prove itself. */
    automatic: z.boolean(),
    /** Why, in a sentence or two. */
    reason: z.string(),
  })
  .meta({ id: 'Rollback' });
export type Rollback = z.infer<typeof Rollback>;

/** An app with an environment of its own, ready to start. */
export const InstalledApp = AppManifest.extend({
  source: AppSource,
  /** null: the app has no page of its own. */
  settingsPage: SettingsPage.nullable().default(null),
  installedAt: Timestamp,
  /** The version of the Python that runs it, `3.11.7`. */
  pythonVersion: z.string(),
  /** The version that a rollback returns to; null: there is none. */
  previous: AppVersion.nullable().default(null),
  /** It stays at this version until it is unpinned. */
  pinned: z.boolean().default(false),
  /** An update that has not proven itself yet: if its next start fails at once, the version before comes back. */
  onTrial: z.boolean().default(false),
  /** The last return to an earlier version, until the next update; null: there was none. */
  rolledBack: Rollback.nullable().default(null),
  /** What its source offers instead of what is installed; null: nothing newer is known. */
  update: z.object({ commit: Commit, seenAt: Timestamp }).nullable().default(null),
  /** Why it is not known whether its source offers anything newer; null: it was asked, or not yet. */
  updateProblem: z.string().nullable().default(null),
  /** Other installed apps whose own pages claim the same port. */
  sharesPortWith: z.array(AppName).default([]),
}).meta({ id: 'InstalledApp' });
export type InstalledApp = z.infer<typeof InstalledApp>;

/** What an installed app takes of the disk, in bytes. Files that environments share with the download cache count fully. */
export const AppDisk = z
  .object({ environment: z.int(), previous: z.int(), /** What the app itself has written. */ files: z.int() })
  .meta({ id: 'AppDisk' });
export type AppDisk = z.infer<typeof AppDisk>;

/** An environment variable that an app is started with. A secret's value is never told again. */
export const AppVariable = z
  .object({ name: VariableName, value: z.string().nullable(), secret: z.boolean() })
  .meta({ id: 'AppVariable' });
export type AppVariable = z.infer<typeof AppVariable>;

/** An app that travels with Robot Desktop. */
export const SampleApp = AppManifest.pick({ name: true, title: true, description: true, emoji: true })
  .extend({
    /** What to give to install. */
    url: z.string(),
    /** Whether its install needs the package index. */
    needsNetwork: z.boolean(),
  })
  .meta({ id: 'SampleApp' });
export type SampleApp = z.infer<typeof SampleApp>;

/** The app that starts by itself: when the robot first wakes up, and when an antenna of the sleeping robot is touched. */
export const StartupApp = z.strictObject({ startupApp: AppName.nullable() }).meta({ id: 'StartupApp' });
export type StartupApp = z.infer<typeof StartupApp>;

/** Where an app is to be installed from. */
export const InstallRequest = z
  .strictObject({
    url: z
      .string()
      .min(1)
      .max(4096)
      .describe(
        'A Space of the hub, a git repository (#revision, #subdirectory=…), an absolute folder path, or a file: address',
      ),
    revision: z.string().min(1).max(200).optional().describe('A branch, tag or commit of it'),
  })
  .meta({ id: 'InstallRequest' });
