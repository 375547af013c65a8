import { expect, test } from 'vitest';
import type { DaemonSnapshot } from '../../daemon/contract/daemon.ts';
import { manualClock } from '../../daemon/testing/manual-clock.ts';
import { daemonState, robotState } from '../testing/daemon-states.ts';
import { FakeEvents } from '../testing/fake-events.ts';
import type { DaemonState } from './daemon-state.ts';
import { DesktopPresence } from './desktop-presence.ts';
import { followOther } from './follow-daemon.ts';
import type { TrayItem } from './tray-items.ts';

class ShownTray {
  opened = 0;
  items: readonly TrayItem[] = [];
  toolTip = '';
  /** Why it is not shown. */
  reason: string | null = null;
  open(): void {
    this.opened += 1;
  }
  show(items: readonly TrayItem[], toolTip: string): void {
    this.items = items;
    this.toolTip = toolTip;
  }
  async problem(): Promise<string | null> {
    return this.reason;
  }
}

function some() {
  const clock = manualClock();
  const events = new FakeEvents();
  const badges: number[] = [];
  const found: (string | null)[] = [];
  const tray = new ShownTray();
  const presence = new DesktopPresence({
    clock,
    tray,
    onBadge: (count) => badges.push(count),
    onNoTray: (reason) => found.push(reason),
  });
  return { presence, clock, events, badges, found, tray };
}

const snapshot = (change: Partial<DaemonState> = {}) =>
  ({ type: 'snapshot', snapshot: daemonState(change) as DaemonSnapshot }) as const;

test('the icon follows the daemon', async () => {
  const { presence, clock, events, tray } = some();
  presence.begin(followOther(events.open));
  expect([tray.opened, tray.toolTip]).toEqual([1, 'Robot Desktop: the daemon does not answer']);
  events.send(snapshot());
  await clock.advance(0);
  expect(tray.toolTip).toBe('Robot Desktop: robot awake, simulated');
  events.send({ type: 'robot.changed', robot: robotState({ state: 'asleep' }) });
  await clock.advance(0);
  expect(tray.items[1]).toEqual({ label: 'Wake the Robot Up', action: { does: 'wake-up' } });
});

test('the badge counts what needs attention, and is told when that changes', async () => {
  const { presence, clock, events, badges } = some();
  presence.begin(followOther(events.open));
  events.send(snapshot());
  const news = (unseen: number) => ({ unseen, revision: 1, newest: null, canMail: false });
  events.send({ type: 'notifications.changed', notifications: news(2) });
  events.send({ type: 'robot.changed', robot: robotState({ state: 'asleep' }) });
  events.send({ type: 'notifications.changed', notifications: news(0) });
  await clock.advance(0);
  expect(badges).toEqual([2, 0]);
});

test('a daemon that no longer answers is said so, without a badge, and is asked again after 5 s', async () => {
  const { presence, clock, events, badges, tray } = some();
  presence.begin(followOther(events.open));
  events.send(snapshot({ robot: robotState({ state: 'error' }) }));
  await clock.advance(0);
  events.fail(new Error('The connection broke off.'));
  await clock.advance(4_999);
  expect([tray.toolTip, badges, events.opened]).toEqual(['Robot Desktop: the daemon does not answer', [1, 0], 1]);
  await clock.advance(1);
  expect(events.opened).toBe(2);
  events.send(snapshot());
  await clock.advance(0);
  expect(tray.toolTip).toBe('Robot Desktop: robot awake, simulated');
});

test('at the end it says so, and nothing changes that any more', async () => {
  const { presence, clock, events, tray } = some();
  presence.begin(followOther(events.open));
  events.send(snapshot());
  await clock.advance(0);
  presence.end();
  events.send(snapshot());
  await clock.advance(60_000);
  expect(tray.items).toEqual([{ label: 'Stopping the app and folding the robot', action: null }]);
  expect([events.opened, clock.pending]).toEqual([1, 0]);
});

test('each look for the icon is told', async () => {
  const { presence, clock, events, found, tray } = some();
  presence.begin(followOther(events.open));
  await clock.advance(0);
  tray.reason = 'There is none.';
  expect(await presence.noTray()).toBe('There is none.');
  expect(found).toEqual([null, 'There is none.']);
});

test('an icon that is gone twice in a row, while no window is open, is told once', async () => {
  const { presence, clock, tray } = some();
  let gone = 0;
  const end = presence.whileHidden(() => {
    gone += 1;
  });
  tray.reason = 'There is none.';
  await clock.advance(60_000);
  tray.reason = null;
  await clock.advance(60_000);
  tray.reason = 'There is none.';
  await clock.advance(60_000);
  expect(gone).toBe(0);
  await clock.advance(5 * 60_000);
  expect(gone).toBe(1);
  end();
  expect(clock.pending).toBe(0);
});
