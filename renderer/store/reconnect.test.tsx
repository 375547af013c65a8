import { act, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { testDashboard } from '../testing/fake-daemon.ts';
import { snapshot } from '../testing/fixtures.ts';
import { renderDashboard } from '../testing/render-dashboard.tsx';
import { useAsked } from './use-asked.ts';
import { useDashboard } from './use-dashboard.ts';
import { useWhenConnected } from './use-when-connected.ts';

function Asked() {
  const { value } = useAsked(['jobs'], (call) => call('listJobs'));
  return <p>{value?.length ?? 'nothing'} asked</p>;
}

function Loaded() {
  const load = useDashboard((s) => s.loadSession);
  useWhenConnected(load, '');
  return null;
}

test('loaded data is loaded again after a snapshot, also when the reconnect was too short to be seen', async () => {
  const dashboard = testDashboard({ listJobs: () => [], getSession: () => ({ signedIn: true }) });
  renderDashboard(
    dashboard,
    <>
      <Asked />
      <Loaded />
    </>,
  );
  const { apply, setConnection } = dashboard.store.getState();
  const called = (name: string) => dashboard.calls.filter((call) => call.name === name).length;
  const counts = () => [called('listJobs'), called('getSession')];
  await screen.findByText('0 asked');
  expect(counts()).toEqual([1, 1]);

  act(() => apply({ type: 'snapshot', snapshot: snapshot() }));
  await vi.waitFor(() => expect(counts()).toEqual([2, 2]));
  await act(async () => {}); // the answers

  act(() => setConnection({ phase: 'lost', retryAt: null, lastSeen: null }));
  act(() => apply({ type: 'snapshot', snapshot: snapshot() }));
  expect(counts()).toEqual([2, 2]);
  await act(async () => setConnection({ phase: 'open' }));
  await vi.waitFor(() => expect(counts()).toEqual([3, 3]));
});
