import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { InstallRequest } from '../../../daemon/contract/apps/apps.ts';
import { asDaemonError } from '../../api/daemon-error.ts';
import type { Answer } from '../base/answers.ts';
import { type CommandsSlice, type SendCommand, withoutRefusals } from '../base/commands.ts';
import type { GetState, Reducers, SetState } from '../base/slice.ts';
import type { ConnectionSlice } from '../daemon/connection-slice.ts';
import type { JobsSlice } from './jobs-slice.ts';

/** The commands for an installed app, except start, each with its call of the daemon. */
const appCommands = {
  update: (call, appName) => call('updateApp', { params: { appName } }),
  rollBack: (call, appName) => call('rollBackApp', { params: { appName } }),
  pin: (call, appName) => call('pinApp', { params: { appName }, body: { pinned: true } }),
  unpin: (call, appName) => call('pinApp', { params: { appName }, body: { pinned: false } }),
  reset: (call, appName) => call('resetApp', { params: { appName } }),
  undoReset: (call, appName) => call('undoAppReset', { params: { appName } }),
  /** Also removes what the app has saved since. */
  undoResetReplacing: (call, appName) => call('undoAppReset', { params: { appName }, query: { replace: true } }),
  remove: (call, appName) => call('removeApp', { params: { appName } }),
} as const satisfies Record<string, (call: DaemonClient['call'], appName: string) => Promise<unknown>>;

export type AppCommand = keyof typeof appCommands;

/** The parts of a start that a user confirms. */
interface StartOptions {
  /** Stops the running app first. */
  readonly replace?: boolean | undefined;
  /** Wakes endpoints that cost money. */
  readonly wakePaid?: boolean | undefined;
}

interface TriedSlice {
  /** The job that installs an app to be started once it is installed; null: none. */
  readonly tried: string | null;
}

export interface UpdateCheckSlice {
  /** The value: when updates were last checked for, by the daemon's clock, in ms since 1970. */
  readonly updateCheck: Answer<number>;
}

export type AppCommandsSlice = ReturnType<typeof createAppCommandsSlice>;

export function createAppCommandsSlice(
  set: SetState<UpdateCheckSlice & TriedSlice>,
  get: GetState<TriedSlice & Pick<JobsSlice, 'jobs'> & Pick<ConnectionSlice, 'clockOffsetMs'>>,
  send: SendCommand,
  call: DaemonClient['call'],
) {
  const changeCheck = (part: Partial<Answer<number>>) =>
    set(({ updateCheck }) => ({ updateCheck: { ...updateCheck, ...part } }));
  const installApp = async (address: string, choices: Omit<InstallRequest, 'url'> = {}) =>
    (await send(`install ${address}`, () => call('installApp', { body: { url: address, ...choices } })))?.id ?? null;
  return {
    tried: null as string | null,
    updateCheck: { value: null, loading: false, error: null } as Answer<number>,
    checkForUpdates: async () => {
      changeCheck({ loading: true, error: null });
      try {
        await call('checkForUpdates');
        changeCheck({ value: Date.now() + get().clockOffsetMs, loading: false });
      } catch (error) {
        changeCheck({ error: asDaemonError(error), loading: false });
      }
    },
    startApp: (name: string, { replace, wakePaid }: StartOptions = {}) => {
      const query = { ...(replace && { replace }), ...(wakePaid && { wakePaid }) };
      const input = { params: { appName: name }, ...(Object.keys(query).length > 0 && { query }) };
      return send(`start ${name}`, () => call('startApp', input), Object.keys(query).join(' '));
    },
    /** Restarts the running app, of that name. No other app can take the slot in between. */
    restartApp: (name: string, { wakePaid }: Pick<StartOptions, 'wakePaid'> = {}) =>
      send(`start ${name}`, () => call('restartCurrentApp', wakePaid ? { query: { wakePaid } } : {}), 'restart'),
    stopApp: ({ force = false } = {}) =>
      send('stop', () => call('stopCurrentApp', force ? { query: { force } } : {}), force ? 'force' : ''),
    /** Makes an app the startup app instead of any other, or clears it. */
    setStartup: (name: string, on: boolean) =>
      send('startup', () => call('setStartupApp', { body: { startupApp: on ? name : null } }), name),
    /**
     * @param choices `downloadPython` accepts the download of a Python if no installed one suits the app
     * @returns the id of the job; null when the install was refused
     */
    installApp,
    /** Installs an app as `installApp` does, and starts it then, as long as this page is open. */
    tryApp: async (address: string, choices: Omit<InstallRequest, 'url'> = {}) => {
      const tried = await installApp(address, choices);
      set({ tried });
      return tried;
    },
    /** Starts the app that is tried once it is installed. */
    startTried: () => {
      const job = get().jobs.find(({ id }) => id === get().tried);
      if (!job?.endedAt) return;
      set({ tried: null });
      if (job.state === 'done' && job.appName !== null) {
        const { appName } = job;
        void send(`start ${appName}`, () => call('startApp', { params: { appName } }));
      }
    },
    /** @returns whether the daemon accepted it */
    sendAppCommand: async (appName: string, command: AppCommand) =>
      (await send<unknown>(`app ${appName}`, () => appCommands[command](call, appName), command)) !== null,
    markCrashSeen: (runId: string) => send(`crash ${runId}`, () => call('markCrashSeen', { params: { runId } })),
  };
}

/** A refusal is out of date when the apps change or the slot becomes free. */
export const appCommandsReducers: Reducers<CommandsSlice> = {
  snapshot: (before) => withoutRefusals(before, 'app'),
  'installed-apps.changed': (before) => withoutRefusals(before, 'app'),
  'app-slot.changed': (before, { slot }) => (slot.state === 'free' ? withoutRefusals(before, 'app') : {}),
};
