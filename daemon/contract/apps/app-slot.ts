import * as z from 'zod';
import { Timestamp } from '../common/common.ts';
import { AppName } from './app-source.ts';
import { AppProcessInfo, AppRun } from './runs.ts';

/** The program that holds the slot. A local app runs on this machine, but the daemon did not start it. */
export const SlotHolder = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('managed-app'), appName: AppName, runId: z.string() }),
    z.object({ kind: z.literal('local-app'), name: z.string() }),
    z.object({ kind: z.literal('remote-session'), name: z.string() }),
  ])
  .meta({ id: 'SlotHolder' });
export type SlotHolder = z.infer<typeof SlotHolder>;

/** The app's SDK connection. `silent`: no hello within 10 s, since it still loads or does without the SDK, or the app hangs. */
const SdkPresence = z.enum(['waiting', 'connected', 'silent']);

/** The running app's settings page. `waiting` until it answers; `port-taken`: another program listens on its port. */
export const SettingsPagePresence = z.enum(['none', 'waiting', 'answers', 'port-taken']);
export type SettingsPagePresence = z.infer<typeof SettingsPagePresence>;

/** The slot: one app runs at a time. */
export const AppSlotState = z
  .discriminatedUnion('state', [
    z.object({ state: z.literal('free'), lastRun: AppRun.nullable() }),
    z.object({
      /** `starting` until its SDK says hello or its settings page answers. */
      state: z.enum(['starting', 'running', 'stopping']),
      holder: SlotHolder,
      since: Timestamp,
      sdk: SdkPresence,
      settingsPage: SettingsPagePresence,
      /** The reason for a wait, in one sentence; null: no wait. */
      detail: z.string().nullable(),
      /** The time when the wait is given up or the app is killed; null: no limit. */
      until: Timestamp.nullable(),
      /** During a stop: its processes that still run. */
      alive: z.array(AppProcessInfo),
    }),
  ])
  .meta({ id: 'AppSlotState' });
export type AppSlotState = z.infer<typeof AppSlotState>;
