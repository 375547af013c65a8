import type { CallName, DaemonClient } from '../../daemon/client/calls.ts';
import type { DaemonSnapshot } from '../../daemon/contract/daemon.ts';
import { operations } from '../../daemon/contract/operations/operations.ts';
import { createDashboardStore, type DashboardStore, fetchMissing } from '../store/dashboard-store.ts';
import { snapshot } from './fixtures.ts';

/** Replies by operation; one that throws is a refusal. A call without a reply stays pending. */
export type Answers = { readonly [N in CallName]?: (input: never) => unknown };

export interface TestDashboard {
  readonly store: DashboardStore;
  /** The calls in order. */
  readonly calls: { readonly name: CallName; readonly input: unknown }[];
  readonly retries: () => number;
}

/** The addresses of the operations, which the build writes into the page. */
export const testAddresses = Object.fromEntries(
  Object.entries(operations).map(([name, { method, path }]) => [name, `${method} ${path}`]),
) as Readonly<Record<CallName, string>>;

/** A store over a fake daemon; connected, with a snapshot, unless `first` is null. */
export function testDashboard(answers: Answers = {}, first: Partial<DaemonSnapshot> | null = {}): TestDashboard {
  const calls: TestDashboard['calls'] = [];
  let retries = 0;
  const daemon: DaemonClient = {
    async call(name, ...[input]) {
      calls.push({ name, input });
      const answer = answers[name] as ((input: unknown) => unknown) | undefined;
      return (answer ? answer(input) : new Promise(() => {})) as never;
    },
  };
  const store = createDashboardStore({
    daemon,
    addresses: testAddresses,
    events: { retryNow: () => void retries++, reopen: () => {} },
  });
  fetchMissing(store);
  if (first) {
    store.getState().apply({ type: 'snapshot', snapshot: snapshot(first) });
    store.getState().setConnection({ phase: 'open' });
  }
  return { store, calls, retries: () => retries };
}
