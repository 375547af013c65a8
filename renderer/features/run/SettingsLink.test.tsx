import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { SettingsPagePresence } from '../../../daemon/contract/apps/app-slot.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { installedApp, slotHeldBy } from '../../testing/fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { SettingsLink, settingsAddress } from './SettingsLink.tsx';

const plain = installedApp('hello_wave');
const app = { ...installedApp('look_around'), settingsPage: { port: 8042, path: '/ui?tab=1' } };
const runningWith = (settingsPage: SettingsPagePresence) => ({ slot: { ...slotHeldBy('look_around'), settingsPage } });
const control = () => screen.getByRole('button', { name: 'Settings of look_around' });

test('an app without a settings page has no settings icon', () => {
  renderDashboard(testDashboard({}), <SettingsLink app={plain} />);
  expect(screen.queryByRole('button')).toBeNull();
  expect(screen.queryByRole('link')).toBeNull();
});

test.each([
  ['it does not run', {}, 'Start look_around to configure it.'],
  ['another app runs', { slot: slotHeldBy('dance') }, 'Start look_around to configure it.'],
  ['its page is not up yet', runningWith('waiting'), 'Its page does not answer yet.'],
  ['another program has its port', runningWith('port-taken'), /^Another program uses port 8042/],
  [
    'it is being stopped',
    { slot: { ...slotHeldBy('look_around', 'stopping'), settingsPage: 'answers' as const } },
    'Start look_around to configure it.',
  ],
])('while %s the icon is disabled and says why', async (_when, state, why) => {
  renderDashboard(testDashboard({}, state), <SettingsLink app={app} />);
  expect(screen.queryByRole('link')).toBeNull();
  expect(control()).toHaveAttribute('aria-disabled', 'true');
  expect(control()).toHaveAccessibleDescription(why);
  await userEvent.click(control());
  expect(screen.getByRole('status')).toHaveTextContent(why);
});

test('while the page answers, the icon opens it in a new window', () => {
  renderDashboard(testDashboard({}, runningWith('answers')), <SettingsLink app={app} />);
  const link = screen.getByRole('link', { name: 'Settings of look_around' });
  expect(link).toHaveAttribute('href', 'http://127.0.0.1:8042/ui?tab=1');
  expect(link).toHaveAttribute('target', '_blank');
});

test("the settings page is on the dashboard's host, under a name that does not get its cookie", () => {
  const page = { port: 8042, path: '/' };
  expect(settingsAddress(page, '127.0.0.1')).toBe('http://localhost:8042/');
  expect(settingsAddress(page, 'localhost')).toBe('http://127.0.0.1:8042/');
  expect(settingsAddress(page, 'robot.local')).toBe('http://robot.local:8042/');
  expect(settingsAddress(page, '[::1]')).toBe('http://[::1]:8042/');
});
