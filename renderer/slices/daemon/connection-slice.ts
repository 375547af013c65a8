import type { DaemonStatus } from '../../../daemon/contract/daemon.ts';
import type { Connection } from '../../api/daemon-events.ts';
import type { Reducers, SetState } from '../base/slice.ts';

export interface ConnectionSlice {
  readonly connection: Connection;
  /** null until the first snapshot. */
  readonly daemon: DaemonStatus | null;
  /** Rises with each snapshot: data that was loaded before may be out of date. */
  readonly snapshots: number;
  readonly setConnection: (connection: Connection) => void;
  /** Reconnects now instead of at the end of the wait. */
  readonly reconnectNow: () => void;
}

export function createConnectionSlice(set: SetState<ConnectionSlice>, events: { retryNow(): void }): ConnectionSlice {
  return {
    connection: { phase: 'connecting', lastSeen: null },
    daemon: null,
    snapshots: 0,
    setConnection: (connection) => set({ connection }),
    reconnectNow: () => events.retryNow(),
  };
}

export const connectionReducers: Reducers<ConnectionSlice> = {
  snapshot: ({ snapshots }, { snapshot }) => ({ daemon: snapshot.daemon, snapshots: snapshots + 1 }),
  'daemon.changed': (_, { daemon }) => ({ daemon }),
};

/** Commands are enabled only while events arrive, which report their results. */
export const isConnected = ({ connection }: ConnectionSlice): boolean => connection.phase === 'open';

/** The daemon does not answer, so the shown state may be out of date. A hidden page is not looked at. */
export const isStale = ({ connection: { phase } }: ConnectionSlice): boolean =>
  phase === 'connecting' || phase === 'silent' || phase === 'lost';

/** When the shown state was last known to be true, in ms since 1970; null: it is true now, or nothing is known. */
export const staleSince = ({ connection }: ConnectionSlice): number | null =>
  'lastSeen' in connection ? connection.lastSeen : null;
