import type { DaemonStatus } from '../../../daemon/contract/daemon.ts';
import type { Connection } from '../../api/daemon-events.ts';
import type { Reducers, SetState } from '../base/slice.ts';

export interface ConnectionSlice {
  readonly connection: Connection;
  /** null until the first snapshot: nothing is known before. */
  readonly daemon: DaemonStatus | null;
  readonly setConnection: (connection: Connection) => void;
  /** Ends the wait for the next attempt. */
  readonly reconnectNow: () => void;
}

export function createConnectionSlice(set: SetState<ConnectionSlice>, events: { retryNow(): void }): ConnectionSlice {
  return {
    connection: { phase: 'connecting' },
    daemon: null,
    setConnection: (connection) => set({ connection }),
    reconnectNow: () => events.retryNow(),
  };
}

export const connectionReducers: Reducers<ConnectionSlice> = {
  snapshot: (_, { snapshot }) => ({ daemon: snapshot.daemon }),
  'daemon.changed': (_, { daemon }) => ({ daemon }),
};

/** Commands make sense only while the page hears what becomes of them. */
export const isConnected = ({ connection }: ConnectionSlice): boolean => connection.phase === 'open';

/** What is shown may be out of date. */
export const isLost = ({ connection }: ConnectionSlice): boolean => connection.phase === 'lost';
