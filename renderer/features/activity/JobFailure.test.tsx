import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { failure, installJob, moment } from '../../testing/fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { InstallControl } from '../apps/InstallControl.tsx';
import { ActivityPage } from './ActivityPage.tsx';

const failed = installJob('dance', {
  state: 'failed',
  failure: { ...failure, reason: 'python-missing', pythonDownload: '3.12.4' },
});
const accepted = { name: 'installApp', input: { body: { url: failed.subject, downloadPython: true } } };
const NAME = 'Download Python 3.12 and install dance';

test('a failed install offers the download of the Python that it needs, and installs with it', async () => {
  const dashboard = testDashboard({ installApp: () => failed }, { jobs: [failed] });
  renderDashboard(dashboard, <ActivityPage />);
  const row = within(screen.getByRole('article'));
  await userEvent.click(row.getByRole('button', { name: NAME }));
  expect(dashboard.calls).toEqual([accepted]);
});

test('so does the button that started it', async () => {
  const dashboard = testDashboard({ installApp: () => failed }, { jobs: [failed] });
  renderDashboard(dashboard, <InstallControl installable={{ title: 'Dance', name: 'dance', url: failed.subject }} />);
  await userEvent.click(screen.getByRole('button', { name: NAME }));
  expect(dashboard.calls).toEqual([accepted]);
});

test('a sample that was tried is started after the download, too', async () => {
  const again = installJob('dance', { id: 'again' });
  const dashboard = testDashboard({ installApp: () => again, startApp: () => ({}) }, { jobs: [failed] });
  const installable = { title: 'Dance', name: 'dance', url: failed.subject };
  renderDashboard(dashboard, <InstallControl installable={installable} tries />);
  await userEvent.click(screen.getByRole('button', { name: 'Download Python 3.12 and try dance' }));
  expect(dashboard.calls).toEqual([accepted]);
  const done = { ...again, state: 'done', endedAt: moment } as const;
  act(() => dashboard.store.getState().apply({ type: 'job.changed', job: done }));
  expect(dashboard.calls).toEqual([accepted, { name: 'startApp', input: { params: { appName: 'dance' } } }]);
});

test('another failure offers none', () => {
  const dashboard = testDashboard({}, { jobs: [{ ...failed, failure }] });
  renderDashboard(dashboard, <ActivityPage />);
  expect(screen.queryByRole('button', { name: /^Download/ })).toBeNull();
});
