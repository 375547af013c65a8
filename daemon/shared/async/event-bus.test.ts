import { expect, test } from 'vitest';
import { EventBus } from './event-bus.ts';

test('every subscriber receives each event until it unsubscribes', () => {
  const bus = new EventBus<string>();
  const received: string[] = [];
  const end = bus.subscribe((event) => received.push(`first ${event}`));
  bus.subscribe((event) => received.push(`second ${event}`));
  bus.publish('a');
  end();
  end();
  bus.publish('b');
  expect(received).toEqual(['first a', 'second a', 'second b']);
});

test('a subscriber that another one unsubscribes during an event does not receive it', () => {
  const bus = new EventBus<string>();
  const received: string[] = [];
  bus.subscribe(() => end());
  const end = bus.subscribe((event) => received.push(event));
  bus.publish('a');
  expect(received).toEqual([]);
});

test('the next event can be waited for', async () => {
  const bus = new EventBus<number>();
  bus.publish(1);
  const next = bus.next();
  bus.publish(2);
  bus.publish(3);
  expect(await next).toBe(2);
});
