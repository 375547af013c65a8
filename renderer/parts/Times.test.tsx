import { act, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { testDashboard } from '../testing/fake-daemon.ts';
import { renderDashboard } from '../testing/render-dashboard.tsx';
import { Elapsed, SecondsLeft, TimeAgo } from './Times.tsx';

afterEach(() => vi.useRealTimers());

const HOUR_MS = 3_600_000;

test.each([-3, 0, 5])('times are right in a browser whose clock is %i hours off', (hoursOff) => {
  vi.useFakeTimers();
  const daemonNow = Date.parse('2026-03-01T10:00:00.000Z');
  vi.setSystemTime(daemonNow + hoursOff * HOUR_MS);
  const at = (ms: number) => new Date(daemonNow + ms).toISOString();
  const dashboard = testDashboard({}, { now: at(0) });
  renderDashboard(
    dashboard,
    <>
      <TimeAgo at={at(-7 * 60_000)} />
      <Elapsed since={at(-42_000)} />
      <SecondsLeft until={at(9_000)}>{(seconds) => `${seconds} s left`}</SecondsLeft>
    </>,
  );
  const texts = () => screen.getAllByRole('time').map(({ textContent }) => textContent);
  expect(texts()).toEqual(['7 min ago', '00:42', '9 s left']);
  act(() => void vi.advanceTimersByTime(2_000));
  expect(texts()).toEqual(['7 min ago', '00:44', '7 s left']);
  // While the daemon does not answer, what it does stands still at its last message.
  act(() => dashboard.store.getState().setConnection({ phase: 'silent', lastSeen: Date.now() }));
  act(() => void vi.advanceTimersByTime(60_000));
  expect(texts()).toEqual(['8 min ago', '00:44', '7 s left']);
});
