import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SilenceWatch } from './silence-watch.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

/** A page whose timers come when the test says so. */
function setUp() {
  let now = 5_000;
  let alarms = 0;
  const watch = new SilenceWatch(
    () => void alarms++,
    () => now,
  );
  watch.start();
  /** Lets time pass; the page's timer comes each `everyMs`. */
  const pass = (ms: number, everyMs = 500) => {
    for (let passed = 0; passed < ms; passed += everyMs) {
      now += everyMs;
      vi.advanceTimersToNextTimer();
    }
  };
  return { watch, pass, alarms: () => alarms };
}

test('silence is noticed after 6 s, and again after 6 more', () => {
  const { pass, alarms } = setUp();
  pass(5_500);
  expect(alarms()).toBe(0);
  pass(500);
  expect(alarms()).toBe(1);
  pass(6_000);
  expect(alarms()).toBe(2);
});

test('a message starts the count again', () => {
  const { watch, pass, alarms } = setUp();
  for (let count = 0; count < 10; count++) {
    pass(5_500);
    watch.heard();
  }
  expect(alarms()).toBe(0);
});

test.each([
  ['the machine slept for eight hours', 8 * 3_600_000],
  ['the page was busy for 8 s', 8_000],
])('no alarm when %s: the count starts again', (_, ms) => {
  const { pass, alarms } = setUp();
  pass(4_500);
  pass(ms, ms);
  expect(alarms()).toBe(0);
  pass(5_500);
  expect(alarms()).toBe(0);
  pass(500);
  expect(alarms()).toBe(1);
});

test('timers that are always late delay the alarm, and do not prevent it', () => {
  const { pass, alarms } = setUp();
  pass(12_500, 2_500);
  expect(alarms()).toBe(0);
  pass(5_000, 2_500);
  expect(alarms()).toBe(1);
});

test('a watch that is stopped is quiet, and one that is started again counts from zero', () => {
  const { watch, pass, alarms } = setUp();
  pass(5_500);
  watch.stop();
  expect(vi.getTimerCount()).toBe(0);
  watch.start();
  watch.start();
  expect(vi.getTimerCount()).toBe(1);
  pass(5_500);
  expect(alarms()).toBe(0);
});
