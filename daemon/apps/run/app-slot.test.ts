import { expect, test } from 'vitest';
import type { AppRun } from '../../contract/apps/runs.ts';
import type { DaemonEvent } from '../../contract/events.ts';
import { AppSlot } from './app-slot.ts';

const dance = { kind: 'managed-app', appName: 'dance', runId: 'r1' } as const;
const script = { kind: 'local-app', name: 'my_script.py' } as const;
const run: AppRun = {
  runId: 'r1',
  appName: 'dance',
  startedAt: '2026-01-01T00:00:00.000Z',
  endedAt: '2026-01-01T00:00:09.000Z',
  outcome: 'stopped',
  exitCode: 0,
  signal: null,
  message: 'Stopped.',
  diagnosis: null,
  version: '1.0.0',
  killed: [],
};

function slotAt() {
  const events: DaemonEvent[] = [];
  let second = 0;
  const now = () => new Date(Date.UTC(2026, 0, 1, 0, 0, second++));
  return { events, slot: new AppSlot({ publish: (event) => events.push(event), now }) };
}

test('a start is refused while an app runs, and the running app stays', () => {
  const { slot } = slotAt();
  slot.take(dance).update({ state: 'running', sdk: 'connected' });
  const before = slot.state;
  expect(() => slot.take({ ...dance, appName: 'wave' })).toThrow(
    'An app is already running: "dance". Stop the current app first.',
  );
  expect(slot.state).toBe(before);
  expect(before).toEqual({
    state: 'running',
    holder: dance,
    since: '2026-01-01T00:00:01.000Z',
    sdk: 'connected',
    settingsPage: 'none',
    detail: null,
    until: null,
    alive: [],
  });
});

test('a program started by hand holds the slot too, and is named', () => {
  const { slot } = slotAt();
  slot.take(script);
  expect(slot.state.state).toBe('running');
  expect(() => slot.take(dance)).toThrow('"my_script.py", a program on this machine that was not started here');
});

test('a released slot is free and has the last run; updates of an ended lease are ignored', () => {
  const { slot, events } = slotAt();
  const lease = slot.take(dance);
  lease.release(run);
  lease.release({ ...run, outcome: 'crashed' });
  lease.update({ state: 'running' });
  expect(slot.state).toEqual({ state: 'free', lastRun: run });
  slot.take(script).release();
  expect(slot.state).toEqual({ state: 'free', lastRun: run });
  expect(events.map((event) => event.type === 'app-slot.changed' && event.slot.state)).toEqual([
    'starting',
    'free',
    'running',
    'free',
  ]);
});

test('a slot that is passed on is never free in between, and updates of the first holder are ignored', () => {
  const { slot, events } = slotAt();
  const first = slot.take(dance);
  const second = first.passTo({ ...dance, appName: 'wave', runId: 'r2' }, run);
  first.update({ state: 'running', detail: 'still here' });
  first.release();
  expect(slot.state).toMatchObject({ state: 'starting', holder: { appName: 'wave', runId: 'r2' }, detail: null });
  expect(() => first.passTo(dance)).toThrow('has ended');
  second.release();
  expect(slot.state).toEqual({ state: 'free', lastRun: run });
  expect(events.map((event) => event.type === 'app-slot.changed' && event.slot.state)).toEqual([
    'starting',
    'starting',
    'free',
  ]);
});

test('the last run of an earlier daemon is restored', () => {
  const { slot } = slotAt();
  slot.remember(run);
  expect(slot.state).toEqual({ state: 'free', lastRun: run });
});
