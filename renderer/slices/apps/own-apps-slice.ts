import type { AppSource } from '../../../daemon/contract/apps/app-source.ts';
import type { NewOwnApp, OwnApp, OwnApps, PublishRequest } from '../../../daemon/contract/apps/own-apps.ts';
import type { Job } from '../../../daemon/contract/jobs.ts';
import { type CommandsSlice, isPending, type SendCommand, withoutRefusals } from '../base/commands.ts';
import type { Reducers } from '../base/slice.ts';
import { type AppsSlice, runOf } from './apps-slice.ts';

interface OwnAppsState {
  /** The apps that the user writes. The keys of their commands end with the id of the own app. */
  readonly ownApps: OwnApps;
}

const operations = { check: 'checkOwnApp', fix: 'fixOwnApp', forget: 'forgetOwnApp' } as const;
type OwnAppCommand = keyof typeof operations;

export type OwnAppsSlice = ReturnType<typeof createOwnAppsSlice>;

export function createOwnAppsSlice(send: SendCommand) {
  const initial: OwnAppsState = { ownApps: { apps: [], proposedFolder: '', canOpen: false } };
  const about = (ownAppId: string) => ({ params: { ownAppId } });
  return {
    ...initial,
    /** @returns the id of the new app; null: refused */
    createOwnApp: async (body: NewOwnApp) =>
      (await send('own-apps', (call) => call('createOwnApp', { body }), 'create'))?.id ?? null,
    /** @returns the id of the app in that folder; null: refused */
    addOwnApp: async (folder: string) =>
      (await send('own-apps', (call) => call('addOwnApp', { body: { folder } }), 'add'))?.id ?? null,
    /** @param replace stops the running app first */
    runOwnApp: (id: string, replace = false) =>
      send(
        `own-run ${id}`,
        (call) => call('runOwnApp', { ...about(id), ...(replace && { query: { replace } }) }),
        replace ? 'replace' : 'run',
      ),
    stopOwnApp: (id: string) => send(`own-run ${id}`, (call) => call('stopOwnApp', about(id)), 'stop'),
    /** @returns whether the daemon accepted it */
    sendOwnAppCommand: async (id: string, command: OwnAppCommand) =>
      (await send<unknown>(`own-app ${id}`, (call) => call(operations[command], about(id)), command)) !== null,
    /** @returns whether the daemon accepted it; the job reports the rest */
    publishOwnApp: async (id: string, body: PublishRequest) =>
      (await send(`own-app ${id}`, (call) => call('publishOwnApp', { ...about(id), body }), 'publish')) !== null,
    /** Shows a file of the app, by default its folder. */
    openOwnApp: (id: string, file?: string) =>
      send(
        `own-app ${id}`,
        (call) => call('openOwnApp', { ...about(id), body: file === undefined ? {} : { file } }),
        file === undefined ? 'open' : `open ${file}`,
      ),
  };
}

export const ownAppsReducers: Reducers<OwnAppsState & CommandsSlice> = {
  snapshot: (before, { snapshot: { ownApps } }) => ({ ownApps, ...withoutRefusals(before, 'own-app', 'own-run') }),
  'own-apps.changed': (_, { ownApps }) => ({ ownApps }),
  /** A question whether to replace the running app is out of date once none runs. */
  'app-slot.changed': (before, { slot }) => (slot.state === 'free' ? withoutRefusals(before, 'own-run') : {}),
};

/** Selects an app of the list. */
export const ownAppById =
  (id: string) =>
  ({ ownApps }: OwnAppsState): OwnApp | undefined =>
    ownApps.apps.find((app) => app.id === id);

/** The own app that a job installs from its folder, checks or publishes. */
export const ownAppOfJob = ({ apps }: OwnApps, { subject }: Pick<Job, 'subject'>): OwnApp | undefined =>
  apps.find(({ folder }) => folder === subject);

/** The own app whose folder an app was installed from. */
export const ownAppOfSource = ({ apps }: OwnApps, source: AppSource): OwnApp | undefined =>
  source.kind === 'folder' ? apps.find(({ folder }) => folder === source.path) : undefined;

/** Selects whether an own app is being stopped: its watch is over at once, its processes and the robot take longer. */
export const isBeingStopped =
  ({ id, name, run }: OwnApp) =>
  (s: CommandsSlice & Pick<AppsSlice, 'slot'>): boolean =>
    isPending(`own-run ${id}`, 'stop')(s) ||
    (run.state === 'off' && name !== null && runOf(s.slot, name)?.state === 'stopping');

/** The newest job of that kind about an own app. @param jobs newest first */
export const ownAppJob = (
  jobs: readonly Job[],
  { folder }: OwnApp,
  kind: 'check-app' | 'publish-app',
): Job | undefined => jobs.find((job) => job.kind === kind && job.subject === folder);
