import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { RuntimeList } from '../../../daemon/contract/endpoints/runtimes.ts';
import type { SendCommand } from '../base/commands.ts';
import { type Loaded, load } from '../base/loaded.ts';
import type { GetState, SetState } from '../base/slice.ts';
import { callSignedIn, type SessionSlice } from '../daemon/session-slice.ts';

export interface RuntimesSlice {
  /** The programs that serve models on this machine, and the one that can be installed. */
  readonly runtimes: Loaded<RuntimeList> | null;
  readonly loadRuntimes: () => Promise<void>;
  /** Lets the daemon look again. */
  readonly findRuntimes: () => Promise<void>;
  /** Starts a job, which events report. */
  readonly installLlamaServer: () => Promise<void>;
}

export function createRuntimesSlice(
  set: SetState<RuntimesSlice>,
  get: GetState<SessionSlice>,
  send: SendCommand,
  daemon: DaemonClient,
): RuntimesSlice {
  return {
    runtimes: null,
    loadRuntimes: () =>
      load<RuntimeList>(
        () => daemon.call('listRuntimes'),
        (next) => set(({ runtimes }) => ({ runtimes: next(runtimes) })),
      ),
    async findRuntimes() {
      const value = await send('runtimes', () => callSignedIn(get, () => daemon.call('findRuntimes')), 'find');
      if (value) set({ runtimes: { state: 'loaded', value } });
    },
    async installLlamaServer() {
      await send('runtimes', () => callSignedIn(get, () => daemon.call('installLlamaServer')), 'install');
    },
  };
}
