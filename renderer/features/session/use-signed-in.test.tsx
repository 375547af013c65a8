import { act, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { session } from '../../testing/model-fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { useSignedIn } from './use-signed-in.ts';

function Buttons() {
  return useSignedIn() ? <button type="button">Change</button> : null;
}

function shown(lostAnswers: number) {
  vi.useFakeTimers();
  let lost = 0;
  const dashboard = testDashboard({
    getSession: () => {
      if (lost === lostAnswers) return session();
      lost += 1;
      throw new DaemonError(null, 'The daemon did not answer.');
    },
  });
  renderDashboard(
    dashboard,
    <>
      <Buttons />
      <Buttons />
    </>,
  );
  return { asked: () => dashboard.calls.filter(({ name }) => name === 'getSession').length };
}

test('a page whose question for the session was not answered asks again, and then shows its buttons', async () => {
  const { asked } = shown(2);
  await act(() => vi.advanceTimersByTimeAsync(900));
  expect([asked(), screen.queryAllByRole('button')]).toEqual([1, []]);
  await act(() => vi.advanceTimersByTimeAsync(2_200));
  expect([asked(), screen.getAllByRole('button').length]).toEqual([3, 2]);
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(asked()).toBe(3);
});

test('it asks five times more, at most', async () => {
  const { asked } = shown(99);
  await act(() => vi.advanceTimersByTimeAsync(600_000));
  expect(asked()).toBe(6);
});
