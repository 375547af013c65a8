import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { AppDisk } from '../../../daemon/contract/apps/apps.ts';
import { type CommandsSlice, type SendCommand, withoutRefusals } from '../base/commands.ts';
import { type Loaded, load } from '../base/loaded.ts';
import type { Reducers, SetState } from '../base/slice.ts';
import { type AppCommand, appCommands } from './app-commands.ts';

export interface AppCommandsSlice {
  /** When updates were last checked for, in ms since 1970; null: never. */
  readonly updateCheck: Loaded<number> | null;
  /** Disk usage by app name, as last loaded. */
  readonly disks: Readonly<Record<string, Loaded<AppDisk>>>;
  /** @returns whether the daemon accepted it */
  readonly sendAppCommand: (appName: string, command: AppCommand) => Promise<boolean>;
  readonly checkForUpdates: () => Promise<void>;
  readonly loadDisk: (appName: string) => Promise<void>;
}

export function createAppCommandsSlice(
  set: SetState<AppCommandsSlice>,
  send: SendCommand,
  daemon: DaemonClient,
): AppCommandsSlice {
  return {
    updateCheck: null,
    disks: {},
    sendAppCommand: async (appName, command) =>
      (await send<unknown>(`app ${appName}`, () => appCommands[command](daemon, appName), command)) !== null,
    checkForUpdates: () =>
      load(
        () => daemon.call('checkForUpdates').then(() => Date.now()),
        (next) => set(({ updateCheck }) => ({ updateCheck: next(updateCheck) })),
      ),
    loadDisk: (appName) =>
      load(
        () => daemon.call('getAppDisk', { params: { appName } }),
        (next) => set(({ disks }) => ({ disks: { ...disks, [appName]: next(disks[appName]) } })),
      ),
  };
}

/** A refusal is out of date when the apps change or the slot becomes free. */
export const appCommandsReducers: Reducers<CommandsSlice> = {
  snapshot: (before) => withoutRefusals(before, 'app'),
  'installed-apps.changed': (before) => withoutRefusals(before, 'app'),
  'app-slot.changed': (before, { slot }) => (slot.state === 'free' ? withoutRefusals(before, 'app') : {}),
};
