import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { App } from '../../App.tsx';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { installedApp, slotHeldBy } from '../../testing/fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { waitingText } from './waiting-text.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const waiting = () => screen.queryByText(/^Waiting for the daemon/)?.parentElement?.textContent ?? null;

test('the page says what it waits for after a second, until the reply, whatever page is open', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const dashboard = testDashboard({ stopCurrentApp: () => promise }, { slot: slotHeldBy('wave') });
  renderDashboard(dashboard, <App />);
  act(() => void dashboard.store.getState().stopApp());
  await pass(900);
  expect(waiting()).toBeNull();
  await pass(300);
  expect(waiting()).toBe('Waiting for the daemon to stop the app1 s');
  await pass(34_000);
  expect(waiting()).toBe('Waiting for the daemon to stop the app35 s');
  act(() => void dashboard.store.getState().sendRobotCommand('sleep'));
  await pass(1_200);
  expect(waiting()).toBe('Waiting for the daemon to stop the app and 1 more36 s');
  resolve({ state: 'free', lastRun: null });
  await pass(0);
  expect(waiting()).toBe('Waiting for the daemon to put the robot to sleep1 s');
});

test('while the daemon does not answer, what is under way stays under way', async () => {
  const dashboard = testDashboard({}, { installedApps: [installedApp('wave')] });
  renderDashboard(dashboard, <App />);
  act(() => void dashboard.store.getState().startApp('wave'));
  act(() => dashboard.store.getState().setConnection({ phase: 'silent', lastSeen: Date.now() }));
  await pass(120_000);
  expect(waiting()).toBe('Waiting for the daemon to start wave120 s');
});

test.each([
  [{ key: 'app wave', command: 'rollBack' }, 'return wave to its previous version'],
  [{ key: 'install /my apps/wave', command: '' }, 'begin the install of /my apps/wave'],
  [{ key: 'start wave', command: 'restart' }, 'restart wave'],
  [{ key: 'endpoint local/a', command: 'delete' }, 'delete local/a'],
  [{ key: 'variables', command: 'wave' }, 'save the variables of wave'],
  [{ key: 'robot', command: 'of tomorrow' }, 'move the robot'],
] as const)('%j in words', (command, text) => {
  expect(waitingText(command, (name) => name)).toBe(text);
});
