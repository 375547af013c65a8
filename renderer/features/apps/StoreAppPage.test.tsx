import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { JobFailure } from '../../../daemon/contract/jobs.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { hub, installJob, storeApp, storeAppDetail, storePage } from '../../testing/fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { openFailures } from '../activity/install-jobs.ts';
import { DiscoverPanel } from './DiscoverPanel.tsx';
import { StoreAppPage } from './StoreAppPage.tsx';

test('a hub app shows the facts to decide by and its README, and its requirements to those who ask, with a link to the hub in a new window', async () => {
  const detail = storeAppDetail('anna/dance', {
    readme: { markdown: 'It **dances**.', truncated: false },
    needs: [{ name: 'chat', task: 'text-generation', optional: false }],
  });
  renderDashboard(testDashboard({ getStoreApp: () => detail }), <StoreAppPage id="anna/dance" />);
  expect(await screen.findByText('dances')).toBeVisible();
  expect(screen.getByRole('region', { name: 'Read me' })).toHaveTextContent('Read meIt dances.');
  const summary = within(screen.getByRole('region', { name: 'anna/dance' }));
  expect(summary.getByText('Needs a chat model')).toBeVisible();
  for (const fact of ['Author', '38 MB', 'Version', 'Updated']) expect(summary.getByText(fact)).toBeVisible();
  expect(summary.getByText('>=3.10')).not.toBeVisible();
  await userEvent.click(summary.getByText('Technical details'));
  for (const fact of ['>=3.10', 'robot-sdk, numpy']) expect(summary.getByText(fact)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Install dance' })).toBeEnabled();
  const link = screen.getByRole('link', { name: 'See it on the hub' });
  expect(link).toHaveAttribute('href', `${hub}/spaces/anna/dance`);
  expect(link).toHaveAttribute('rel', 'noopener noreferrer');
});

test('an app that cannot be installed shows why in the place of Install, on its page and then on its card', async () => {
  const problems = ['It needs Python 3.12.', 'It has no entry point.'];
  const dashboard = testDashboard({
    listStore: () => storePage([storeApp('anna/dance'), storeApp('anna/wave')]),
    getStoreApp: () => storeAppDetail('anna/dance', { problems }),
  });
  const { unmount } = renderDashboard(dashboard, <StoreAppPage id="anna/dance" />);
  const summary = within(await screen.findByRole('region', { name: 'anna/dance' }));
  expect(summary.getByText('cannot be installed')).toBeVisible();
  for (const problem of problems) expect(summary.getByText(problem)).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Install/ })).toBeNull();
  unmount();
  renderDashboard(dashboard, <DiscoverPanel query="" />);
  const card = within(await screen.findByRole('article', { name: 'anna/dance' }));
  expect(card.getByText('It needs Python 3.12.')).toBeVisible();
  expect(card.queryByRole('button', { name: /^Install/ })).toBeNull();
  expect(screen.getByRole('button', { name: 'Install wave' })).toBeEnabled();
});

test('an app that needs another Python can be installed if that can be downloaded', async () => {
  const detail = storeAppDetail('anna/dance', { problems: ['It needs Python 3.12.'], pythonDownload: '3.12.4' });
  renderDashboard(testDashboard({ getStoreApp: () => detail }), <StoreAppPage id="anna/dance" />);
  const summary = within(await screen.findByRole('region', { name: 'anna/dance' }));
  expect(summary.getByText('It needs Python 3.12, which the install offers to download.')).toBeVisible();
  expect(summary.queryByText('It cannot be installed on this machine.')).toBeNull();
});

test('the listed summary is shown at once; a failed load of the details is reported', async () => {
  const refuse = () => Promise.reject(new DaemonError(502, 'The hub does not answer.'));
  const dashboard = testDashboard({ listStore: () => storePage([storeApp('anna/dance')]), getStoreApp: refuse });
  const { unmount } = renderDashboard(dashboard, <DiscoverPanel query="" />);
  await screen.findByRole('article', { name: 'anna/dance' });
  unmount();
  renderDashboard(dashboard, <StoreAppPage id="anna/dance" />);
  expect(screen.getByRole('button', { name: 'Install dance' })).toBeEnabled();
  await act(async () => {});
  expect(screen.getByText('Details could not be loaded: The hub does not answer.')).toBeVisible();
});

test('an app that the hub does not have cannot be installed', async () => {
  const refuse = () => Promise.reject(new DaemonError(404, 'The hub has no app "anna/gone".'));
  renderDashboard(testDashboard({ getStoreApp: refuse }), <StoreAppPage id="anna/gone" />);
  expect(await screen.findByText('The app could not be loaded: The hub has no app "anna/gone".')).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Install/ })).toBeNull();
});

test('an app that may be private is loaded again after a sign-in', async () => {
  let account: string | null = null;
  const answer = () =>
    account === null
      ? Promise.reject(new DaemonError(404, 'The hub has no app "anna/dance", or it is private.'))
      : storeAppDetail('anna/dance');
  const subject = `${hub}/spaces/anna/dance`;
  const failed: JobFailure = {
    reason: 'not-found',
    message: 'Not there, or private.',
    action: 'Sign in.',
    evidence: [],
  };
  const job = installJob('dance', { subject, appName: null, state: 'failed', failure: failed });
  const { store, ...dashboard } = testDashboard({ getStoreApp: answer }, { jobs: [job] });
  renderDashboard({ store, ...dashboard }, <StoreAppPage id="anna/dance" />);
  expect(await screen.findByText(/or it is private/)).toBeVisible();
  expect(openFailures(store.getState())).toEqual([job]);
  account = 'anna';
  await act(async () =>
    store.getState().apply({ type: 'hub-account.changed', hubAccount: { hub, name: account, problem: null } }),
  );
  expect(await screen.findByRole('region', { name: 'Read me' })).toBeVisible();
  expect(screen.queryByText(/or it is private/)).toBeNull();
  expect(openFailures(store.getState())).toEqual([]);
});
