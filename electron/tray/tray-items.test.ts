import { describe, expect, test } from 'vitest';
import type { DesktopUpdate } from '../../daemon/contract/desktop.ts';
import { daemonState, installedApp, robotState, slotOf } from '../testing/daemon-states.ts';
import type { DaemonState } from './daemon-state.ts';
import { type TrayItem, trayItems, trayToolTip } from './tray-items.ts';

const told = (label: string): TrayItem => ({ label, action: null });
const open: TrayItem = { label: 'Open Robot Desktop', action: { does: 'open' } };
const quit: TrayItem = { label: 'Quit', action: { does: 'quit' } };
const hello = { kind: 'managed-app', appName: 'hello_wave', runId: 'r1' } as const;

/** The part about the robot and apps, without the lines at its end. */
const about = (state: DaemonState) => trayItems(state).slice(0, -3);

test('while no app runs, the robot can be put to sleep and the startup app started', () => {
  expect(trayItems(daemonState({ startupApp: 'dance' }))).toEqual([
    told('Robot awake, simulated'),
    { label: 'Put the Robot to Sleep', action: { does: 'sleep' } },
    'separator',
    told('No app runs'),
    { label: 'Start Dance', action: { does: 'start-app', appName: 'dance' } },
    'separator',
    open,
    quit,
  ]);
});

test('while an app runs it can be stopped, and the robot not put to sleep', () => {
  expect(about(daemonState({ slot: slotOf(hello), startupApp: 'dance' }))).toEqual([
    told('Robot awake, simulated'),
    told('Put the Robot to Sleep'),
    'separator',
    told('Hello wave: running'),
    { label: 'Stop Hello wave', action: { does: 'stop-app' } },
  ]);
});

test('an app that stops cannot be stopped again', () => {
  expect(about(daemonState({ slot: slotOf(hello, 'stopping') })).slice(3)).toEqual([
    told('Hello wave: stopping'),
    told('Stop Hello wave'),
  ]);
});

test('a program that the daemon did not start is named, and not stopped', () => {
  const slot = slotOf({ kind: 'local-app', name: 'mover.py' });
  expect(about(daemonState({ slot })).slice(3)).toEqual([told('mover.py moves the robot')]);
});

test('without a daemon that answers there is only the window and the end', () => {
  expect(trayItems(null)).toEqual([told('The daemon does not answer'), 'separator', open, quit]);
});

describe('the robot', () => {
  test.each<[Partial<DaemonState['robot']>, TrayItem[]]>([
    [
      { state: 'asleep', simulation: null },
      [told('Robot asleep'), { label: 'Wake the Robot Up', action: { does: 'wake-up' } }],
    ],
    [{ state: 'waking' }, [told('Robot waking up, simulated'), told('Wake the Robot Up')]],
    [{ state: 'going-to-sleep', simulation: null }, [told('Robot going to sleep'), told('Wake the Robot Up')]],
    [
      { state: 'disconnected', simulation: null, reason: 'The robot is not plugged in.' },
      [told('Robot disconnected: The robot is not plugged in.'), told('Wake the Robot Up')],
    ],
    [
      { state: 'error', simulation: null, reason: 'A motor is too hot.' },
      [told('Robot error: A motor is too hot.'), { label: 'Wake the Robot Up', action: { does: 'wake-up' } }],
    ],
  ])('%j', (change, items) => {
    expect(about(daemonState({ robot: robotState(change) })).slice(0, 2)).toEqual(items);
  });
});

test('a startup app that is not installed is not offered', () => {
  expect(about(daemonState({ startupApp: 'gone' })).slice(3)).toEqual([told('No app runs')]);
});

test('titles of apps are one line of visible characters, and not too long', () => {
  const installedApps = [installedApp('dance', `Quit\n\u202e${'a'.repeat(60)}`)];
  const [, start] = about(daemonState({ startupApp: 'dance', installedApps })).slice(3);
  expect(start).toMatchObject({ label: `Start Quit ${'a'.repeat(34)}…` });
});

test.each<[DesktopUpdate, TrayItem[]]>([
  [
    { state: 'available', version: '1.2.0', by: 'program', command: null },
    [{ label: 'Update to Version 1.2.0…', action: { does: 'show-update' } }],
  ],
  [{ state: 'ready', version: '1.2.0' }, [{ label: 'Update to Version 1.2.0…', action: { does: 'show-update' } }]],
  [{ state: 'none', lookedAt: null }, []],
  [{ state: 'off', reason: null }, []],
])('of the update %j', (update, items) => {
  const state = daemonState();
  const daemon = { ...state.daemon, desktop: { update } as NonNullable<DaemonState['daemon']['desktop']> };
  expect(trayItems({ ...state, daemon }).slice(6, -1)).toEqual(items);
});

test('the text at the icon tells the robot’s state', () => {
  expect(trayToolTip(daemonState())).toBe('Robot Desktop: robot awake, simulated');
  expect(trayToolTip(null)).toBe('Robot Desktop: the daemon does not answer');
});
