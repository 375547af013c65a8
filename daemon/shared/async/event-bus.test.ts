import { expect, test } from 'vitest';
import { EventBus } from './event-bus.ts';

test('all subscribers are told, until they end their subscription', () => {
  const bus = new EventBus<string>();
  const told: string[] = [];
  const end = bus.subscribe((event) => told.push(`first ${event}`));
  bus.subscribe((event) => told.push(`second ${event}`));
  bus.publish('a');
  end();
  end();
  bus.publish('b');
  expect(told).toEqual(['first a', 'second a', 'second b']);
});

test('one whose subscription another ends meanwhile is not told any more', () => {
  const bus = new EventBus<string>();
  const told: string[] = [];
  bus.subscribe(() => end());
  const end = bus.subscribe((event) => told.push(event));
  bus.publish('a');
  expect(told).toEqual([]);
});

test('the next event can be waited for', async () => {
  const bus = new EventBus<number>();
  bus.publish(1);
  const next = bus.next();
  bus.publish(2);
  bus.publish(3);
  expect(await next).toBe(2);
});
