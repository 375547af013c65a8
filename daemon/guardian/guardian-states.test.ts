import { expect, test } from 'vitest';
import { decide, type GuardianEvent, type GuardianState } from './guardian.ts';

/** @returns the states after each event, and the actions */
function after(...events: GuardianEvent[]): string[] {
  let state: GuardianState = 'unassigned';
  return events.map((event) => {
    const decision = decide(state, event);
    state = decision.state;
    return decision.action ? `${state}: ${decision.action}` : state;
  });
}

test('a daemon that ends in order has nothing rescued', () => {
  expect(after('assigned', 'ended-in-order', 'pipe-broke')).toEqual(['guarding', 'ended: exit', 'ended']);
});

test('a pipe that breaks without that word begins the rescue, once', () => {
  expect(after('assigned', 'pipe-broke', 'pipe-broke', 'terminated', 'waited', 'ended-in-order', 'rescued')).toEqual([
    'guarding',
    ...['rescuing: rescue', 'rescuing', 'rescuing', 'rescuing', 'rescuing'],
    'ended: exit',
  ]);
});

test('at the end of a session the daemon has time to end in order', () => {
  expect(after('assigned', 'terminated', 'terminated', 'ended-in-order')).toEqual([
    ...['guarding', 'alerted: wait', 'alerted'],
    'ended: exit',
  ]);
  expect(after('assigned', 'terminated', 'pipe-broke')).toEqual(['guarding', 'alerted: wait', 'rescuing: rescue']);
  expect(after('assigned', 'terminated', 'waited')).toEqual(['guarding', 'alerted: wait', 'rescuing: rescue']);
});

test.each(['ended-in-order', 'pipe-broke', 'terminated'] as const)(
  'a guardian without an assignment ends at "%s"',
  (event) => {
    expect(after(event)).toEqual(['ended: exit']);
  },
);

test('a second assignment changes nothing', () => {
  expect(after('assigned', 'assigned', 'pipe-broke', 'assigned')).toEqual([
    ...['guarding', 'guarding'],
    ...['rescuing: rescue', 'rescuing'],
  ]);
});
