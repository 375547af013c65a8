import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { AppSlotState, SlotHolder } from '../../../daemon/contract/apps/app-slot.ts';
import type { InstalledApp, SampleApp } from '../../../daemon/contract/apps/apps.ts';
import { type CommandsSlice, type SendCommand, withoutRefusals } from '../base/commands.ts';
import type { Reducers } from '../base/slice.ts';

export interface AppsSlice {
  readonly slot: AppSlotState;
  readonly installedApps: readonly InstalledApp[];
  readonly sampleApps: readonly SampleApp[];
  /** The app that starts by itself when the robot wakes up, or null. */
  readonly startupApp: string | null;
  /** `replace` stops what runs first, so that the app comes in its place. */
  readonly startApp: (name: string, options?: { readonly replace?: boolean }) => Promise<unknown>;
  /** Stops the running app, of that name, and starts it again; nothing can take its place between the two. */
  readonly restartApp: (name: string) => Promise<unknown>;
  readonly stopApp: (options?: { readonly force?: boolean }) => Promise<unknown>;
  /** Lets an app start by itself instead of any other, or not any more. */
  readonly setStartup: (name: string, on: boolean) => Promise<unknown>;
  /** The id of the job that does it, or null when it was refused. */
  readonly installApp: (address: string, revision?: string) => Promise<string | null>;
}

export function createAppsSlice(send: SendCommand, daemon: DaemonClient): AppsSlice {
  return {
    slot: { state: 'free', lastRun: null },
    installedApps: [],
    sampleApps: [],
    startupApp: null,
    startApp: (name, { replace } = {}) => {
      const input = { params: { appName: name }, ...(replace && { query: { replace } }) };
      return send(`start ${name}`, () => daemon.call('startApp', input));
    },
    restartApp: (name) => send(`start ${name}`, () => daemon.call('restartCurrentApp')),
    stopApp: ({ force } = {}) => send('stop', () => daemon.call('stopCurrentApp', force ? { query: { force } } : {})),
    setStartup: (name, on) =>
      send('startup', () => daemon.call('setStartupApp', { body: { startupApp: on ? name : null } }), name),
    async installApp(address, revision) {
      const call = () => daemon.call('installApp', { body: { url: address, revision } });
      return (await send(`install ${address}`, call))?.id ?? null;
    },
  };
}

export const appsReducers: Reducers<AppsSlice & CommandsSlice> = {
  snapshot: (before, { snapshot: { slot, installedApps, sampleApps, startupApp } }) => ({
    ...withSlot(before, slot),
    installedApps,
    sampleApps,
    startupApp,
  }),
  'app-slot.changed': (before, { slot }) => withSlot(before, slot),
  'installed-apps.changed': (_, { installedApps }) => ({ installedApps }),
  'startup-app.changed': (before, { startupApp }) => ({ startupApp, ...withoutRefusals(before, 'startup') }),
};

/** A refusal was true of the slot as it stood: another holder, or none, and it is out of date. */
function withSlot(before: AppsSlice & CommandsSlice, slot: AppSlotState): Partial<AppsSlice & CommandsSlice> {
  const sameHolder = holderKey(before.slot) === holderKey(slot);
  return { slot, ...(sameHolder ? {} : withoutRefusals(before, 'start', 'stop')) };
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
