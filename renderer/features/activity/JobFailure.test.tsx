import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { failure, installJob } from '../../testing/fixtures.ts';
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

test('another failure offers none', () => {
  const dashboard = testDashboard({}, { jobs: [{ ...failed, failure }] });
  renderDashboard(dashboard, <ActivityPage />);
  expect(screen.queryByRole('button', { name: /^Download/ })).toBeNull();
});
