import type { DaemonClient } from '../../../daemon/client/calls.ts';

/** What a person can order of an installed app, beside starting it, each with how the daemon is asked for it. */
export const appCommands = {
  update: (daemon, appName) => daemon.call('updateApp', { params: { appName } }),
  rollBack: (daemon, appName) => daemon.call('rollBackApp', { params: { appName } }),
  pin: (daemon, appName) => daemon.call('pinApp', { params: { appName }, body: { pinned: true } }),
  unpin: (daemon, appName) => daemon.call('pinApp', { params: { appName }, body: { pinned: false } }),
  remove: (daemon, appName) => daemon.call('removeApp', { params: { appName } }),
} as const satisfies Record<string, (daemon: DaemonClient, appName: string) => Promise<unknown>>;

export type AppCommand = keyof typeof appCommands;
