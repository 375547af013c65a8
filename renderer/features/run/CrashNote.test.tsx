import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { AppVariable } from '../../../daemon/contract/apps/apps.ts';
import type { CrashDiagnosis } from '../../../daemon/contract/apps/diagnosis.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { appVersion, crashOf, installedApp } from '../../testing/fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { CrashNote } from './CrashNote.tsx';

const diagnosis: CrashDiagnosis = {
  cause: 'exception',
  message: 'It divides by zero.',
  action: 'Tell its author.',
  ownLine: { file: 'hello_wave/main.py', line: 12, code: 'speed = 1 / beats' },
  evidence: ['ZeroDivisionError: division by zero'],
};
const run = (change: Parameters<typeof crashOf>[1] = {}) => crashOf('hello_wave', { version: '1.2.0', ...change });
const app = installedApp('hello_wave', 'Hello wave', { version: '1.2.0', previous: appVersion('hello_wave', '1.1.0') });

test("a crash shows its cause, the app's own line, the action, and the evidence on request", async () => {
  const user = userEvent.setup();
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  renderDashboard(testDashboard({}, { installedApps: [app] }), <CrashNote run={run({ diagnosis })} />);
  expect(screen.getByText('It divides by zero.')).toBeVisible();
  expect(screen.getByText('hello_wave/main.py:12')).toHaveClass('mono');
  expect(screen.getByText('speed = 1 / beats').tagName).toBe('CODE');
  expect(screen.getByText('Tell its author.')).toBeVisible();
  expect(screen.getByText('ZeroDivisionError: division by zero')).not.toBeVisible();
  await user.click(screen.getByText('Lines of its output'));
  await user.click(screen.getByRole('button', { name: 'Copy details' }));
  expect(write.mock.calls[0]?.[0]).toContain('hello_wave/main.py:12 speed = 1 / beats\nZeroDivisionError');
});

test('the place and the error are told once, where the action and the message have them', () => {
  const ownLine = { file: 'hello_wave/main.py', line: 12, code: 'raise RuntimeError("the flux is not compensated")' };
  const message = 'It crashed: unhandled RuntimeError: the flux is not compensated.';
  const action = 'Fix hello_wave/main.py, line 12.';
  const show = (change: Partial<CrashDiagnosis>) => {
    const crash = run({ diagnosis: { ...diagnosis, message, action, ownLine, ...change } });
    return renderDashboard(testDashboard({}, { installedApps: [app] }), <CrashNote run={crash} />);
  };
  const { unmount } = show({});
  expect(screen.getByText(action)).toBeVisible();
  expect(screen.queryByText('hello_wave/main.py:12')).toBeNull();
  expect(screen.queryByText(ownLine.code)).toBeNull();
  unmount();
  show({ message: 'The robot was lost.', action: 'Start it again.' });
  expect(screen.getByText('hello_wave/main.py:12')).toBeVisible();
  expect(screen.getByText(ownLine.code)).toBeVisible();
});

test("a crashed app can be returned to its earlier version; Start is the app's own button", async () => {
  const dashboard = testDashboard({ rollBackApp: () => app }, { installedApps: [app] });
  renderDashboard(dashboard, <CrashNote run={run()} />);
  expect(screen.queryByRole('button', { name: /start/i })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Return to 1.1.0: Hello wave' }));
  expect(dashboard.calls).toEqual([{ name: 'rollBackApp', input: { params: { appName: 'hello_wave' } } }]);
});

test('the model that it needed is chosen with one click', () => {
  const crash = run({ diagnosis: { ...diagnosis, cause: 'endpoint-missing', need: 'chat' } });
  renderDashboard(testDashboard({}, { installedApps: [app] }), <CrashNote run={crash} />);
  expect(screen.getByRole('link', { name: 'Choose a model' })).toHaveAttribute(
    'href',
    '#/apps/hello_wave?tab=about&need=chat',
  );
});

test('a variable that is not set is set with one click, where variables are set', () => {
  const missingVariables = ['SPEECH_KEY', 'WAVE_TO'];
  const crash = run({ diagnosis: { ...diagnosis, cause: 'missing-variable', missingVariables } });
  renderDashboard(testDashboard({}, { installedApps: [app] }), <CrashNote run={crash} />);
  expect(screen.getByRole('link', { name: 'Set SPEECH_KEY' })).toHaveAttribute(
    'href',
    '#/apps/hello_wave?tab=variables&set=SPEECH_KEY',
  );
  expect(screen.getByRole('link', { name: 'Set WAVE_TO' })).toBeVisible();
});

test('variables that were set since can be changed', () => {
  const missingVariables = ['SPEECH_KEY', 'WAVE_TO'];
  const crash = run({ diagnosis: { ...diagnosis, cause: 'missing-variable', missingVariables } });
  const speech = { name: 'SPEECH_KEY', value: null, secret: true };
  const show = (value: AppVariable[]) => {
    const dashboard = testDashboard({}, { installedApps: [app] });
    dashboard.store.getState().setAnswer(['variables', 'hello_wave'], value);
    return renderDashboard(dashboard, <CrashNote run={crash} />);
  };
  const { unmount } = show([speech]);
  expect(screen.getByRole('link', { name: 'Change SPEECH_KEY' })).toHaveAttribute('data-variant', 'default');
  expect(screen.getByRole('link', { name: 'Set WAVE_TO' })).toHaveAttribute('data-variant', 'filled');
  unmount();
  show([speech, { name: 'WAVE_TO', value: 'Ada', secret: false }]);
  expect(screen.getByRole('link', { name: 'Change WAVE_TO' })).toHaveAttribute('data-variant', 'default');
});

test("without a diagnosis the run's message is shown; without an earlier version there is no return", () => {
  const killed = run({ outcome: 'killed', killed: [{ pid: 7, command: 'ffmpeg -i mic' }] });
  renderDashboard(testDashboard({}, { installedApps: [{ ...app, previous: null }] }), <CrashNote run={killed} />);
  expect(screen.getByText('hello_wave crashed: ZeroDivisionError.')).toBeVisible();
  expect(screen.getByRole('list', { name: 'Processes' })).toHaveTextContent('7 ffmpeg -i mic');
  expect(screen.queryByRole('button', { name: /^Return/ })).toBeNull();
});

test('a version that was rolled back already offers no return', () => {
  const from = appVersion('hello_wave', '1.2.0');
  const rolledBack = { from, at: run().endedAt, automatic: true, reason: 'It crashed.' };
  const back = { ...app, version: '1.1.0', previous: from, rolledBack };
  renderDashboard(testDashboard({}, { installedApps: [back] }), <CrashNote run={run()} />);
  expect(screen.getByText('1.2.0 was rolled back automatically: 1.1.0 is installed again.')).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Return/ })).toBeNull();
});
