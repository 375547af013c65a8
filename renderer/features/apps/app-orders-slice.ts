import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { AppDisk } from '../../../daemon/contract/apps.ts';
import { asDaemonError } from '../../api/daemon-error.ts';
import { type Loaded, load } from '../../store/loaded.ts';
import { type Reducers, type SetState, without } from '../../store/slice.ts';
import { type AppOrder, appOrders } from './app-orders.ts';

export interface AppOrdersSlice {
  /** Orders that were given and not answered yet, by the app's name. */
  readonly appOrdersAsked: Readonly<Record<string, AppOrder>>;
  /** The last order of an app, if it was refused, and why, by the app's name. */
  readonly appRefusals: Readonly<Record<string, { readonly order: AppOrder; readonly error: DaemonError }>>;
  /** The last time that the sources of all apps were asked what is new: when (ms since 1970); null: not yet. */
  readonly updateCheck: Loaded<number> | null;
  /** What an app takes of the disk, by its name, as it was when last asked for. */
  readonly disks: Readonly<Record<string, Loaded<AppDisk>>>;
  /** @returns whether it was done, or begun */
  readonly orderApp: (appName: string, order: AppOrder) => Promise<boolean>;
  readonly dismissAppRefusal: (appName: string) => void;
  readonly checkForUpdates: () => Promise<void>;
  readonly loadDisk: (appName: string) => Promise<void>;
}

export function createAppOrdersSlice(set: SetState<AppOrdersSlice>, daemon: DaemonClient): AppOrdersSlice {
  return {
    appOrdersAsked: {},
    appRefusals: {},
    updateCheck: null,
    disks: {},
    async orderApp(appName, order) {
      set(({ appOrdersAsked, appRefusals }) => ({
        appOrdersAsked: { ...appOrdersAsked, [appName]: order },
        appRefusals: without(appRefusals, appName),
      }));
      try {
        await appOrders[order](daemon, appName);
        return true;
      } catch (error) {
        const refusal = { order, error: asDaemonError(error) };
        set(({ appRefusals }) => ({ appRefusals: { ...appRefusals, [appName]: refusal } }));
        return false;
      } finally {
        set(({ appOrdersAsked }) => ({ appOrdersAsked: without(appOrdersAsked, appName) }));
      }
    },
    dismissAppRefusal: (appName) => set(({ appRefusals }) => ({ appRefusals: without(appRefusals, appName) })),
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
export const appOrdersReducers: Reducers<AppOrdersSlice> = {
  snapshot: () => ({ appRefusals: {} }),
  'installed-apps.changed': () => ({ appRefusals: {} }),
  'app-slot.changed': (_, { slot }) => (slot.state === 'free' ? { appRefusals: {} } : {}),
};
