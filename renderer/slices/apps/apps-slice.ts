import type { AppSlotState, SlotHolder } from '../../../daemon/contract/apps/app-slot.ts';
import type { InstalledApp, SampleApp } from '../../../daemon/contract/apps/apps.ts';
import { type CommandsSlice, withoutPending, withoutRefusals } from '../base/commands.ts';
import type { Reducers } from '../base/slice.ts';

export interface AppsSlice {
  readonly slot: AppSlotState;
  readonly installedApps: readonly InstalledApp[];
  readonly sampleApps: readonly SampleApp[];
  /** The app that starts automatically when the robot wakes up, or null. */
  readonly startupApp: string | null;
}

export const noApps: AppsSlice = {
  slot: { state: 'free', lastRun: null },
  installedApps: [],
  sampleApps: [],
  startupApp: null,
};

export const appsReducers: Reducers<AppsSlice & CommandsSlice> = {
  snapshot: (before, { snapshot: { slot, installedApps, sampleApps, startupApp } }) => ({
    ...withSlot(before, slot),
    installedApps,
    sampleApps,
    startupApp,
  }),
  'app-slot.changed': (before, { slot }) => withSlot(before, slot),
  'installed-apps.changed': (before, { installedApps }) => ({
    installedApps: withUnchanged(before.installedApps, installedApps),
  }),
  'startup-app.changed': (before, { startupApp }) => ({ startupApp, ...withoutRefusals(before, 'startup') }),
};

/** The apps of an event; those that are as before remain the same objects, so that of their cards none renders again. */
function withUnchanged(before: readonly InstalledApp[], now: readonly InstalledApp[]): readonly InstalledApp[] {
  const known = new Map(before.map((app) => [app.name, app]));
  return now.map((app) => {
    const same = known.get(app.name);
    return same && JSON.stringify(same) === JSON.stringify(app) ? same : app;
  });
}

/**
 * Drops refusals of start and stop when the slot's holder changes, but not that of the app whose start has just failed: the
 * reply may come before the event that the slot is free. A start is no longer pending once the app holds the
 * slot, nor is a stop once the app is being stopped: their replies may come later than the events.
 */
function withSlot(before: AppsSlice & CommandsSlice, slot: AppSlotState): Partial<AppsSlice & CommandsSlice> {
  const sameHolder = holderKey(before.slot) === holderKey(slot);
  let after = { ...before, slot };
  if (!sameHolder) {
    after = { ...after, ...withoutRefusals(after, 'start', 'stop') };
    const failed = before.slot.state === 'starting' && `start ${holderName(before.slot.holder)}`;
    const refused = failed && before.commands[failed];
    if (slot.state === 'free' && refused) after = { ...after, commands: { ...after.commands, [failed]: refused } };
  }
  if (slot.state === 'starting' || slot.state === 'running') {
    if (!sameHolder || before.slot.state !== slot.state) {
      after = { ...after, ...withoutPending(after, `start ${holderName(slot.holder)}`) };
    }
  } else if (before.slot.state !== slot.state) after = { ...after, ...withoutPending(after, 'stop') };
  return { slot, commands: after.commands };
}

function holderKey(slot: AppSlotState): string {
  return slot.state === 'free' ? '' : slot.holder.kind + holderName(slot.holder);
}

export function holderName(holder: SlotHolder): string {
  return holder.kind === 'managed-app' ? holder.appName : holder.name;
}

/** Selects how the app's last start, which was refused, was asked for. */
export const refusedStartOf =
  (name: string) =>
  ({ commands }: CommandsSlice): string =>
    commands[`start ${name}`]?.refusal?.command ?? '';

/** The name of the slot's holder as people see it: of an app its title. Null if there is none. */
export function holderOf(apps: AppsSlice): string | null {
  if (apps.slot.state === 'free') return null;
  const name = holderName(apps.slot.holder);
  return apps.slot.holder.kind === 'managed-app' ? titleOf(apps, name) : name;
}

/** The title of the startup app, or its name during its install; null without one. */
export const startupTitle = (apps: AppsSlice): string | null =>
  apps.startupApp === null ? null : titleOf(apps, apps.startupApp);

/**
 * The app's title, which people see in place of its name; with the name if another installed app has the same title. An
 * app that is neither installed nor a sample has only its name.
 */
export function titleOf({ installedApps, sampleApps }: KnownApps, appName: string): string {
  const title = titlesOf(installedApps).get(appName);
  return title ?? sampleApps.find(({ name }) => name === appName)?.title ?? appName;
}

/** Kept for each list: every card of hundreds asks several times at each change of the store. */
const knownTitles = new WeakMap<readonly InstalledApp[], ReadonlyMap<string, string>>();

function titlesOf(installedApps: readonly InstalledApp[]): ReadonlyMap<string, string> {
  const known = knownTitles.get(installedApps);
  if (known) return known;
  const counts = new Map<string, number>();
  for (const { title } of installedApps) counts.set(title, (counts.get(title) ?? 0) + 1);
  const titles = new Map(
    installedApps.map(({ name, title }) => [name, (counts.get(title) ?? 0) > 1 ? `${title} (${name})` : title]),
  );
  knownTitles.set(installedApps, titles);
  return titles;
}

export type KnownApps = Pick<AppsSlice, 'installedApps' | 'sampleApps'>;

/**
 * Selects the slot as far as it is about one app, which has it or had it last; for the others it is free. So a start is no
 * change for them.
 */
export const slotAbout =
  (name: string) =>
  ({ slot }: Pick<AppsSlice, 'slot'>): AppSlotState =>
    (slot.state === 'free' ? slot.lastRun?.appName : holderName(slot.holder)) === name ? slot : noApps.slot;

/** The slot's state if that app holds it, else null. */
export function runOf(slot: AppSlotState, name: string): Exclude<AppSlotState, { state: 'free' }> | null {
  return slot.state !== 'free' && slot.holder.kind === 'managed-app' && slot.holder.appName === name ? slot : null;
}
