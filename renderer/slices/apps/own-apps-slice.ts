import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { AppSource } from '../../../daemon/contract/apps/app-source.ts';
import type { NewOwnApp, OwnApp, OwnApps, PublishRequest } from '../../../daemon/contract/apps/own-apps.ts';
import type { Job } from '../../../daemon/contract/jobs.ts';
import { type CommandsSlice, isPending, type SendCommand, withoutRefusals } from '../base/commands.ts';
import type { Reducers } from '../base/slice.ts';
import { type AppsSlice, runOf } from './apps-slice.ts';

/** The apps that the user writes. The keys of their commands end with the id of the own app. */
export interface OwnAppsSlice {
  readonly ownApps: OwnApps;
  /** @returns the id of the new app; null: refused */
  readonly createOwnApp: (wanted: NewOwnApp) => Promise<string | null>;
  /** @returns the id of the app in that folder; null: refused */
  readonly addOwnApp: (folder: string) => Promise<string | null>;
  /** @param replace stops the running app first */
  readonly runOwnApp: (id: string, replace?: boolean) => Promise<unknown>;
  readonly stopOwnApp: (id: string) => Promise<unknown>;
  /** @returns whether the daemon accepted it */
  readonly sendOwnAppCommand: (id: string, command: OwnAppCommand) => Promise<boolean>;
  /** @returns whether the daemon accepted it; the job reports the rest */
  readonly publishOwnApp: (id: string, choices: PublishRequest) => Promise<boolean>;
  /** Shows a file of the app, by default its folder. */
  readonly openOwnApp: (id: string, file?: string) => Promise<unknown>;
}

const operations = { check: 'checkOwnApp', fix: 'fixOwnApp', forget: 'forgetOwnApp' } as const;
type OwnAppCommand = keyof typeof operations;

export function createOwnAppsSlice(send: SendCommand, daemon: DaemonClient): OwnAppsSlice {
  const about = (ownAppId: string) => ({ params: { ownAppId } });
  return {
    ownApps: { apps: [], proposedFolder: '', canOpen: false },
    createOwnApp: async (wanted) =>
      (await send('own-apps', () => daemon.call('createOwnApp', { body: wanted }), 'create'))?.id ?? null,
    addOwnApp: async (folder) =>
      (await send('own-apps', () => daemon.call('addOwnApp', { body: { folder } }), 'add'))?.id ?? null,
    runOwnApp: (id, replace = false) =>
      send(
        `own-run ${id}`,
        () => daemon.call('runOwnApp', { ...about(id), ...(replace && { query: { replace } }) }),
        replace ? 'replace' : 'run',
      ),
    stopOwnApp: (id) => send(`own-run ${id}`, () => daemon.call('stopOwnApp', about(id)), 'stop'),
    sendOwnAppCommand: async (id, command) =>
      (await send<unknown>(`own-app ${id}`, () => daemon.call(operations[command], about(id)), command)) !== null,
    publishOwnApp: async (id, body) =>
      (await send(`own-app ${id}`, () => daemon.call('publishOwnApp', { ...about(id), body }), 'publish')) !== null,
    openOwnApp: (id, file) =>
      send(
        `own-app ${id}`,
        () => daemon.call('openOwnApp', { ...about(id), body: file === undefined ? {} : { file } }),
        file === undefined ? 'open' : `open ${file}`,
      ),
  };
}

export const ownAppsReducers: Reducers<OwnAppsSlice & CommandsSlice> = {
  snapshot: (before, { snapshot: { ownApps } }) => ({ ownApps, ...withoutRefusals(before, 'own-app', 'own-run') }),
  'own-apps.changed': (_, { ownApps }) => ({ ownApps }),
  /** A question whether to replace the running app is out of date once none runs. */
  'app-slot.changed': (before, { slot }) => (slot.state === 'free' ? withoutRefusals(before, 'own-run') : {}),
};

/** Selects an app of the list. */
export const ownAppById =
  (id: string) =>
  ({ ownApps }: Pick<OwnAppsSlice, 'ownApps'>): OwnApp | undefined =>
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
