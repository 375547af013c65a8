import type { DaemonClient } from '../../../daemon/client/calls.ts';

/** The commands for an installed app, except start, each with its call of the daemon. */
export const appCommands = {
  update: (daemon, appName) => daemon.call('updateApp', { params: { appName } }),
  rollBack: (daemon, appName) => daemon.call('rollBackApp', { params: { appName } }),
  pin: (daemon, appName) => daemon.call('pinApp', { params: { appName }, body: { pinned: true } }),
  unpin: (daemon, appName) => daemon.call('pinApp', { params: { appName }, body: { pinned: false } }),
  remove: (daemon, appName) => daemon.call('removeApp', { params: { appName } }),
} as const satisfies Record<string, (daemon: DaemonClient, appName: string) => Promise<unknown>>;

export type AppCommand = keyof typeof appCommands;
