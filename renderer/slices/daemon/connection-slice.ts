import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { DaemonStatus } from '../../../daemon/contract/daemon.ts';
import { asDaemonError } from '../../api/daemon-error.ts';
import type { Connection } from '../../api/daemon-events.ts';
import type { Reducers, SetState } from '../base/slice.ts';

export interface ConnectionSlice {
  readonly connection: Connection;
  /** The daemon answers, and asks for a token that this browser no longer has. */
  readonly isSignedOut: boolean;
  /** null until the first snapshot. */
  readonly daemon: DaemonStatus | null;
  /** How much the daemon's clock is ahead of this browser's, in ms. All times that the page is told are the daemon's. */
  readonly clockOffsetMs: number;
  /** Rises with each snapshot: data that was loaded before may be out of date. */
  readonly snapshots: number;
  readonly setConnection: (connection: Connection) => void;
  /** Reconnects now instead of at the end of the wait. */
  readonly reconnectNow: () => void;
  /** Has the daemon's events belong to the session that this browser has now. */
  readonly reopenEvents: () => void;
}

export function createConnectionSlice(
  set: SetState<ConnectionSlice>,
  daemon: DaemonClient,
  events: { retryNow(): void; reopen(): void },
): ConnectionSlice {
  /** A browser does not tell why it could not open an event stream. */
  async function askWhyLost(): Promise<void> {
    const status = await daemon.call('getSession').then(
      () => 200,
      (error: unknown) => asDaemonError(error).status,
    );
    set({ isSignedOut: status === 401 });
  }
  return {
    connection: { phase: 'connecting', lastSeen: null },
    isSignedOut: false,
    daemon: null,
    clockOffsetMs: 0,
    snapshots: 0,
    setConnection: (connection) => {
      set({ connection });
      if (connection.phase === 'lost' && connection.retryAt !== null) void askWhyLost();
    },
    reconnectNow: () => events.retryNow(),
    reopenEvents: () => events.reopen(),
  };
}

export const connectionReducers: Reducers<ConnectionSlice> = {
  snapshot: ({ snapshots }, { snapshot }) => ({
    daemon: snapshot.daemon,
    clockOffsetMs: Date.parse(snapshot.now) - Date.now(),
    snapshots: snapshots + 1,
    isSignedOut: false,
  }),
  'daemon.changed': (_, { daemon }) => ({ daemon }),
};

/** Commands are enabled only while events arrive, which report their results. */
export const isConnected = ({ connection }: ConnectionSlice): boolean => connection.phase === 'open';

/** The daemon does not answer, so the shown state may be out of date. A hidden page is not looked at. */
export const isStale = ({ connection: { phase } }: ConnectionSlice): boolean =>
  phase === 'connecting' || phase === 'silent' || phase === 'lost';

/** When the shown state was last known to be true, by the daemon's clock, in ms since 1970; null: it is true now, or nothing is known. */
export const staleSince = ({ connection, clockOffsetMs }: ConnectionSlice): number | null =>
  'lastSeen' in connection && connection.lastSeen !== null ? connection.lastSeen + clockOffsetMs : null;
