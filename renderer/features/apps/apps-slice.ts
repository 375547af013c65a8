import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { AppSlotState, SlotHolder } from '../../../daemon/contract/app-slot.ts';
import type { InstalledApp, SampleApp } from '../../../daemon/contract/apps.ts';
import { asDaemonError } from '../../api/daemon-error.ts';
import { type Reducers, type SetState, without } from '../../store/slice.ts';

export interface AppsSlice {
  readonly slot: AppSlotState;
  readonly installedApps: readonly InstalledApp[];
  readonly sampleApps: readonly SampleApp[];
  /** The app that starts by itself when the robot wakes up, or null. */
  readonly startupApp: string | null;
  /** Why the last choice of it was refused, and at which app. */
  readonly startupRefusal: { readonly name: string; readonly error: DaemonError } | null;
  /** Starts that were asked for and not answered yet. */
  readonly startsAsked: readonly string[];
  /** Why the last start of an app was refused, by its name. */
  readonly startRefusals: Readonly<Record<string, DaemonError>>;
  readonly stopRefusal: DaemonError | null;
  /** Installs that were asked for and not answered yet, by address. */
  readonly installsAsked: readonly string[];
  /** Why an install was refused before it became a job, by address. */
  readonly installRefusals: Readonly<Record<string, DaemonError>>;
  /** `replace` stops what runs first, so that the app comes in its place. */
  readonly startApp: (name: string, options?: { readonly replace?: boolean }) => Promise<void>;
  /** Stops the running app, of that name, and starts it again; nothing can take its place between the two. */
  readonly restartApp: (name: string) => Promise<void>;
  readonly stopApp: (options?: { readonly force?: boolean }) => Promise<void>;
  readonly dismissStartRefusal: (name: string) => void;
  /** Lets an app start by itself instead of any other, or not any more. */
  readonly setStartup: (name: string, on: boolean) => Promise<void>;
  /** The id of the job that does it, or null when it was refused. */
  readonly installApp: (address: string, revision?: string) => Promise<string | null>;
  readonly forgetInstallRefusal: (address: string) => void;
}

export function createAppsSlice(set: SetState<AppsSlice>, daemon: DaemonClient): AppsSlice {
  async function askToStart(name: string, call: () => Promise<unknown>): Promise<void> {
    set(({ startsAsked, startRefusals }) => ({
      startsAsked: [...startsAsked, name],
      startRefusals: without(startRefusals, name),
    }));
    try {
      await call();
    } catch (error) {
      set(({ startRefusals }) => ({ startRefusals: { ...startRefusals, [name]: asDaemonError(error) } }));
    } finally {
      set(({ startsAsked }) => ({ startsAsked: startsAsked.filter((asked) => asked !== name) }));
    }
  }
  return {
    slot: { state: 'free', lastRun: null },
    installedApps: [],
    sampleApps: [],
    startupApp: null,
    startupRefusal: null,
    startsAsked: [],
    startRefusals: {},
    stopRefusal: null,
    installsAsked: [],
    installRefusals: {},
    startApp: (name, { replace } = {}) =>
      askToStart(name, () =>
        daemon.call('startApp', { params: { appName: name }, ...(replace && { query: { replace } }) }),
      ),
    restartApp: (name) => askToStart(name, () => daemon.call('restartCurrentApp')),
    async stopApp({ force } = {}) {
      set({ stopRefusal: null });
      try {
        await daemon.call('stopCurrentApp', force ? { query: { force } } : {});
      } catch (error) {
        set({ stopRefusal: asDaemonError(error) });
      }
    },
    dismissStartRefusal: (name) => set(({ startRefusals }) => ({ startRefusals: without(startRefusals, name) })),
    async setStartup(name, on) {
      set({ startupRefusal: null });
      try {
        await daemon.call('setStartupApp', { body: { startupApp: on ? name : null } });
      } catch (error) {
        set({ startupRefusal: { name, error: asDaemonError(error) } });
      }
    },
    async installApp(address, revision) {
      set(({ installsAsked, installRefusals }) => ({
        installsAsked: [...installsAsked, address],
        installRefusals: without(installRefusals, address),
      }));
      try {
        return (await daemon.call('installApp', { body: { url: address, revision } })).id;
      } catch (error) {
        set(({ installRefusals }) => ({ installRefusals: { ...installRefusals, [address]: asDaemonError(error) } }));
        return null;
      } finally {
        set(({ installsAsked }) => ({ installsAsked: installsAsked.filter((asked) => asked !== address) }));
      }
    },
    forgetInstallRefusal: (address) =>
      set(({ installRefusals }) => ({ installRefusals: without(installRefusals, address) })),
  };
}

export const appsReducers: Reducers<AppsSlice> = {
  snapshot: (before, { snapshot: { slot, installedApps, sampleApps, startupApp } }) => ({
    ...slotAfter(before, slot),
    installedApps,
    sampleApps,
    startupApp,
  }),
  'app-slot.changed': (before, { slot }) => slotAfter(before, slot),
  'installed-apps.changed': (_, { installedApps }) => ({ installedApps }),
  'startup-app.changed': (_, { startupApp }) => ({ startupApp, startupRefusal: null }),
};

/** A refusal was true of the slot as it stood: another holder, or none, and it is out of date. */
function slotAfter(before: AppsSlice, slot: AppSlotState): Partial<AppsSlice> {
  const sameHolder = holderKey(before.slot) === holderKey(slot);
  return { slot, ...(sameHolder ? {} : { startRefusals: {}, stopRefusal: null }) };
}

function holderKey(slot: AppSlotState): string {
  return slot.state === 'free' ? '' : slot.holder.kind + holderName(slot.holder);
}

export function holderName(holder: SlotHolder): string {
  return holder.kind === 'managed-app' ? holder.appName : holder.name;
}

/** What holds the slot, or null. */
export const holderOf = ({ slot }: AppsSlice): string | null =>
  slot.state === 'free' ? null : holderName(slot.holder);

/** What people call the app that starts by itself, or null. While it is still being installed, that is its name. */
export const startupTitle = (apps: AppsSlice): string | null =>
  apps.startupApp === null ? null : titleOf(apps, apps.startupApp);

/** What people call an app; its name while nothing else is known of it. */
export const titleOf = ({ installedApps }: AppsSlice, appName: string): string =>
  installedApps.find(({ name }) => name === appName)?.title ?? appName;

/** The state of the slot as far as that app is concerned. */
export function runOf(slot: AppSlotState, name: string): Exclude<AppSlotState, { state: 'free' }> | null {
  return slot.state !== 'free' && slot.holder.kind === 'managed-app' && slot.holder.appName === name ? slot : null;
}
