import * as z from 'zod';
import { AppSlotState } from './apps/app-slot.ts';
import { AppName } from './apps/app-source.ts';
import { InstalledApp, SampleApp } from './apps/apps.ts';
import { OwnApps } from './apps/own-apps.ts';
import { AppCrash, OutputPage } from './apps/runs.ts';
import { HubAccount, StoreStatus } from './apps/store.ts';
import { CatalogSourceStatus } from './catalog/models.ts';
import { named, Timestamp } from './common/common.ts';
import { DesktopStatus } from './desktop.ts';
import { EndpointsStatus } from './endpoints/endpoint.ts';
import { Job } from './jobs.ts';
import { NotificationsStatus } from './notifications/notifications.ts';
import { RobotPose, RobotState } from './robot/robot.ts';

/** The Python for apps, and the installer, `uv` or `pip`. */
export const PythonStatus = z
  .discriminatedUnion('state', [
    z.object({ state: z.literal('looking') }),
    z.object({ state: z.literal('ready'), version: z.string(), installer: z.enum(['uv', 'pip']) }),
    z.object({ state: z.literal('missing'), reason: z.string(), action: z.string() }),
  ])
  .meta({ id: 'PythonStatus' });
export type PythonStatus = z.infer<typeof PythonStatus>;

/** How saved secrets are encrypted: by the system's keychain, or with a key in a file that only its owner can read. */
export const SecretKeeping = z
  .discriminatedUnion('kept', [
    z.object({ kept: z.literal('keychain') }),
    z.object({ kept: z.literal('key-file'), file: z.string(), reason: z.string(), action: z.string() }),
  ])
  .meta({ id: 'SecretKeeping' });
export type SecretKeeping = z.infer<typeof SecretKeeping>;

/** How a terminal on the daemon's machine calls `robot-daemon` for this daemon, from any folder. */
export const TerminalCall = named('TerminalCall', {
  /** `robot-daemon` alone where that name is on the PATH; else the words that work. */
  program: z.array(z.string()).min(1),
  /** The data folder that a command must name; null: its default. */
  dataDir: z.string().nullable(),
  /** The shells that the words are quoted for: those of Unix, or cmd and PowerShell. */
  shell: z.enum(['posix', 'windows']),
});
export type TerminalCall = z.infer<typeof TerminalCall>;

export const DaemonStatus = named('DaemonStatus', {
  name: z.literal('robot-daemon'),
  version: z.string(),
  /** Differs at each start, so that a page detects a restart. */
  instanceId: z.string(),
  pid: z.int(),
  startedAt: Timestamp,
  dataDir: z.string(),
  python: PythonStatus,
  /** Absent: not known yet, in the first moments of the desktop program. */
  secrets: SecretKeeping.optional(),
  /** Absent: it cannot start itself again, as in a terminal. */
  canRestart: z.literal(true).optional(),
  /** Absent: the installed program has no command. */
  terminal: TerminalCall.optional(),
  /** Absent: the data folder keeps what is written. Else why nothing can be saved and no app can start. */
  storageProblem: z.object({ reason: z.string(), action: z.string() }).optional(),
  /**
   * Absent: the last daemon ended in order. Else that it did not, what its guardian did about it, and what to do, in
   * sentences. Reported by one daemon only.
   */
  unexpectedEnd: z.object({ at: Timestamp, what: z.string(), done: z.string(), action: z.string() }).optional(),
  /** Absent: the daemon runs without a window. */
  desktop: DesktopStatus.optional(),
});
export type DaemonStatus = z.infer<typeof DaemonStatus>;

/** The disk that holds the data folder, in bytes; null: it cannot be asked. */
export const Storage = named('Storage', {
  dataDir: z.string(),
  disk: z.object({ totalBytes: z.int(), freeBytes: z.int() }).nullable(),
});
export type Storage = z.infer<typeof Storage>;

/** Everything a page needs, sent first on every connection. */
export const DaemonSnapshot = named('DaemonSnapshot', {
  /** The daemon's time when it was taken: that of a browser elsewhere may be hours off. */
  now: Timestamp,
  daemon: DaemonStatus,
  slot: AppSlotState,
  installedApps: z.array(InstalledApp),
  sampleApps: z.array(SampleApp),
  ownApps: OwnApps,
  /** At most one an app, see `listCrashes`. */
  crashes: z.array(AppCrash),
  startupApp: AppName.nullable(),
  store: StoreStatus,
  hubAccount: HubAccount,
  catalogSource: CatalogSourceStatus,
  endpoints: EndpointsStatus,
  notifications: NotificationsStatus,
  jobs: z.array(Job),
  robot: RobotState,
  pose: RobotPose,
  output: OutputPage,
});
export type DaemonSnapshot = z.infer<typeof DaemonSnapshot>;
