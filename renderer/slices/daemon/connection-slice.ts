import type { DaemonStatus } from '../../../daemon/contract/daemon.ts';
import type { Connection } from '../../api/daemon-events.ts';
import type { Reducers, SetState } from '../base/slice.ts';

export interface ConnectionSlice {
  readonly connection: Connection;
  /** null until the first snapshot. */
  readonly daemon: DaemonStatus | null;
  readonly setConnection: (connection: Connection) => void;
  /** Reconnects now instead of at the end of the wait. */
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

/** Commands are enabled only while events arrive, which report their results. */
export const isConnected = ({ connection }: ConnectionSlice): boolean => connection.phase === 'open';

/** The shown state may be out of date. */
export const isLost = ({ connection }: ConnectionSlice): boolean => connection.phase === 'lost';
