import * as z from 'zod';
import { Timestamp } from './common.ts';

/** The name of an app: the name of its entry point in group `robot_apps`. */
export const AppName = z
  .string()
  .regex(/^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/, 'letters, digits, ".", "_" and "-", at most 64')
  .meta({ id: 'AppName' });

/** Where an app came from. Its identity: the same source again is an update. */
export const AppSource = z.object({ kind: z.literal('folder'), path: z.string() }).meta({ id: 'AppSource' });
export type AppSource = z.infer<typeof AppSource>;

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

/** An app with an environment of its own, ready to start. */
export const InstalledApp = AppManifest.extend({
  source: AppSource,
  /** null: the app has no page of its own. */
  settingsPage: SettingsPage.nullable().default(null),
  installedAt: Timestamp,
  /** The version of the Python that runs it, `3.11.7`. */
  pythonVersion: z.string(),
}).meta({ id: 'InstalledApp' });
export type InstalledApp = z.infer<typeof InstalledApp>;

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

/** How a run of an app ended. `killed`: it did not end by itself within the grace after a stop. */
export const RunOutcome = z.enum(['finished', 'stopped', 'killed', 'crashed']);
export type RunOutcome = z.infer<typeof RunOutcome>;

/** One finished run. */
export const AppRun = z
  .object({
    runId: z.string(),
    appName: AppName,
    startedAt: Timestamp,
    endedAt: Timestamp,
    outcome: RunOutcome,
    exitCode: z.int().nullable(),
    signal: z.string().nullable(),
    /** What happened, in one sentence. */
    message: z.string(),
  })
  .meta({ id: 'AppRun' });
export type AppRun = z.infer<typeof AppRun>;

/** Who may hold the slot. A local app is a program on this machine that the daemon did not start. */
export const SlotHolder = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('managed-app'), appName: AppName, runId: z.string() }),
    z.object({ kind: z.literal('local-app'), name: z.string() }),
    z.object({ kind: z.literal('remote-session'), name: z.string() }),
  ])
  .meta({ id: 'SlotHolder' });
export type SlotHolder = z.infer<typeof SlotHolder>;

/** Whether the running app's SDK is heard: `silent` when it has not said hello within 10 s (it need not), or hangs. */
export const SdkPresence = z.enum(['waiting', 'connected', 'silent']);
export type SdkPresence = z.infer<typeof SdkPresence>;

/** How the running app's own page is doing: `waiting` until it answers; `port-taken`: another program's page does. */
export const SettingsPagePresence = z.enum(['none', 'waiting', 'answers', 'port-taken']);
export type SettingsPagePresence = z.infer<typeof SettingsPagePresence>;

/** The one place an app can occupy. */
export const AppSlotState = z
  .discriminatedUnion('state', [
    z.object({ state: z.literal('free'), lastRun: AppRun.nullable() }),
    z.object({
      state: z.enum(['starting', 'running', 'stopping']),
      holder: SlotHolder,
      since: Timestamp,
      sdk: SdkPresence,
      settingsPage: SettingsPagePresence,
      /** What it is waiting for, in one sentence, or null. */
      detail: z.string().nullable(),
    }),
  ])
  .meta({ id: 'AppSlotState' });
export type AppSlotState = z.infer<typeof AppSlotState>;

/** The app that starts by itself: when the robot first wakes up, and when an antenna of the sleeping robot is touched. */
export const StartupApp = z.strictObject({ startupApp: AppName.nullable() }).meta({ id: 'StartupApp' });
export type StartupApp = z.infer<typeof StartupApp>;

export const OutputStream = z.enum(['stdout', 'stderr']);

/** One line of an app's output. `number` counts from 1 within a run. */
export const OutputLine = z
  .object({
    number: z.int(),
    stream: OutputStream,
    text: z.string(),
    /** The line was longer than is kept; this is its beginning. */
    truncated: z.boolean(),
    at: Timestamp,
  })
  .meta({ id: 'OutputLine' });
export type OutputLine = z.infer<typeof OutputLine>;

/** A stretch of the output of the current run, or of the last one while the slot is free. */
export const OutputPage = z
  .object({
    /** null when no app has run since the daemon started. */
    runId: z.string().nullable(),
    appName: AppName.nullable(),
    /** The oldest line still kept; what came before it is gone. */
    firstKept: z.int(),
    /** The number of the newest line, 0 when there is none. */
    last: z.int(),
    lines: z.array(OutputLine),
  })
  .meta({ id: 'OutputPage' });
export type OutputPage = z.infer<typeof OutputPage>;

export const InstallRequest = z
  .strictObject({ url: z.string().min(1).max(4096).describe('An absolute folder path, or a file: address') })
  .meta({ id: 'InstallRequest' });
