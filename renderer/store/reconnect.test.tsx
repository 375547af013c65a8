import { act, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { testDashboard } from '../testing/fake-daemon.ts';
import { snapshot } from '../testing/fixtures.ts';
import { renderDashboard } from '../testing/render-dashboard.tsx';
import { useAsked } from './use-asked.ts';

function Asked() {
  const { value } = useAsked(['jobs'], (call) => call('listJobs'));
  return <p>{value?.length ?? 'nothing'} asked</p>;
}

test('what was asked for is asked for again after a snapshot, also when the reconnect was too short to be seen', async () => {
  const dashboard = testDashboard({ listJobs: () => [] });
  renderDashboard(
    dashboard,
    <>
      <Asked />
      <Asked />
    </>,
  );
  const { apply, setConnection } = dashboard.store.getState();
  const count = () => dashboard.calls.length;
  await screen.findAllByText('0 asked');
  expect(count()).toBe(1);

  act(() => apply({ type: 'snapshot', snapshot: snapshot() }));
  await vi.waitFor(() => expect(count()).toBe(2));
  await act(async () => {}); // the answers

  act(() => setConnection({ phase: 'lost', retryAt: null, lastSeen: null }));
  act(() => apply({ type: 'snapshot', snapshot: snapshot() }));
  expect(dashboard.calls.filter(({ name }) => name === 'listJobs')).toHaveLength(2);
  await act(async () => setConnection({ phase: 'open' }));
  await vi.waitFor(() => expect(dashboard.calls.filter(({ name }) => name === 'listJobs')).toHaveLength(3));
});
