import { expect, test } from 'vitest';
import type { DaemonEvent } from '../../daemon/contract/events.ts';
import { EventBus } from '../../daemon/shared/async/event-bus.ts';
import type { FollowedEvent } from './daemon-state.ts';
import { followOwn } from './follow-daemon.ts';

/** A daemon with nothing but events. */
function someDaemon() {
  const bus = new EventBus();
  let watchers = 0;
  const watch = (listener: (event: DaemonEvent) => void) => {
    watchers += 1;
    const end = bus.subscribe(listener);
    return () => {
      watchers -= 1;
      end();
    };
  };
  return { watch, publish: bus.publish, watchers: () => watchers };
}

const slotChanged: DaemonEvent = { type: 'app-slot.changed', slot: { state: 'free', lastRun: null } };

/** Events that the tray does not show, of which nothing but the type may be read. */
const others = (['robot.pose', 'job.changed', 'app-output.appended', 'endpoint-log.grew'] as const).map(
  (type) =>
    new Proxy({ type } as DaemonEvent, {
      get: (event, name) => {
        if (name !== 'type') throw new Error(`${String(name)} of ${type} was read`);
        return event.type;
      },
      ownKeys: () => {
        throw new Error(`${type} was serialized`);
      },
    }),
);

test('the tray gets the events that it shows; of a pose, a job or output only the type is read', async () => {
  const daemon = someDaemon();
  const end = new AbortController();
  const got: FollowedEvent[] = [];
  const ended = followOwn(daemon)((event) => got.push(event), end.signal);
  for (const event of others) daemon.publish(event);
  daemon.publish(slotChanged);
  expect(got).toEqual([slotChanged]);
  end.abort();
  await ended;
  expect(daemon.watchers()).toBe(0);
});

test('a tray that fails does not disturb the daemon, and is told of no more', async () => {
  const daemon = someDaemon();
  const ended = followOwn(daemon)(() => {
    throw new Error('No tray.');
  }, new AbortController().signal);
  expect(() => daemon.publish(slotChanged)).not.toThrow();
  await expect(ended).rejects.toThrow('No tray.');
  expect(daemon.watchers()).toBe(0);
});
