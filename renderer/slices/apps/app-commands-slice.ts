import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { AppDisk } from '../../../daemon/contract/apps/apps.ts';
import { type CommandsSlice, type SendCommand, withoutRefusals } from '../base/commands.ts';
import { type Loaded, load } from '../base/loaded.ts';
import type { Reducers, SetState } from '../base/slice.ts';
import { type AppOrder, appOrders } from './app-commands.ts';

export interface AppOrdersSlice {
  /** The last time that the sources of all apps were asked what is new: when (ms since 1970); null: not yet. */
  readonly updateCheck: Loaded<number> | null;
  /** What an app takes of the disk, by its name, as it was when last asked for. */
  readonly disks: Readonly<Record<string, Loaded<AppDisk>>>;
  /** @returns whether it was done, or begun */
  readonly orderApp: (appName: string, order: AppOrder) => Promise<boolean>;
  readonly checkForUpdates: () => Promise<void>;
  readonly loadDisk: (appName: string) => Promise<void>;
}

export function createAppOrdersSlice(
  set: SetState<AppOrdersSlice>,
  send: SendCommand,
  daemon: DaemonClient,
): AppOrdersSlice {
  return {
    updateCheck: null,
    disks: {},
    orderApp: async (appName, order) =>
      (await send<unknown>(`app ${appName}`, () => appOrders[order](daemon, appName), order)) !== null,
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

/** A refusal was true of the app, and of what ran, as they were. */
export const appOrdersReducers: Reducers<CommandsSlice> = {
  snapshot: (before) => withoutRefusals(before, 'app'),
  'installed-apps.changed': (before) => withoutRefusals(before, 'app'),
  'app-slot.changed': (before, { slot }) => (slot.state === 'free' ? withoutRefusals(before, 'app') : {}),
};
