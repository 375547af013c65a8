import * as z from 'zod';
import { Timestamp } from '../common/common.ts';
import { AppName } from './app-source.ts';
import { AppProcessInfo, AppRun } from './runs.ts';

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
      /** When the wait that `detail` tells of is given up, or the app is killed; null: no such moment. */
      until: Timestamp.nullable(),
      /** While it stops: the processes of it that are still there. */
      alive: z.array(AppProcessInfo),
    }),
  ])
  .meta({ id: 'AppSlotState' });
export type AppSlotState = z.infer<typeof AppSlotState>;
