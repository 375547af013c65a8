import type { DaemonEvent } from '../../daemon/contract/events.ts';
import type { Daemon } from '../../daemon/create-daemon.ts';
import { type FollowedEvent, followedEvents } from './daemon-state.ts';

/**
 * Follows a daemon: calls the listener with the snapshot, then with each event that the tray shows, until the signal.
 * Settles when no more come, and rejects with the reason.
 */
export type FollowDaemon = (onEvent: (event: FollowedEvent) => void, signal: AbortSignal) => Promise<void>;

const followedTypes: ReadonlySet<string> = new Set(followedEvents);

/** Follows the daemon of this process without a connection: an event that the tray does not show costs one look at its type. */
export function followOwn(daemon: Pick<Daemon, 'watch'>): FollowDaemon {
  return async (onEvent, signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const end = daemon.watch((event) => {
      if (!isFollowed(event)) return;
      try {
        onEvent(event);
      } catch (error) {
        reject(error); // a tray that fails must not disturb the daemon
      }
    });
    signal.addEventListener('abort', () => resolve(), { once: true });
    await promise.finally(end);
  };
}

/** Follows a daemon of another process. @param events its events, the snapshot first */
export function followOther(events: (signal: AbortSignal) => AsyncIterable<FollowedEvent>): FollowDaemon {
  return async (onEvent, signal) => {
    for await (const event of events(signal)) onEvent(event);
  };
}

function isFollowed(event: DaemonEvent): event is FollowedEvent {
  return followedTypes.has(event.type);
}
