import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { DaemonSnapshot } from '../../../daemon/contract/daemon.ts';
import { useRoute } from '../../navigation/route.ts';
import { type Answers, testDashboard } from '../../testing/fake-daemon.ts';
import { failure, hub } from '../../testing/fixtures.ts';
import {
  ownApp,
  ownAppId,
  ownAppsOf,
  ownAppWork,
  publicationPreview,
  publishedSpace,
} from '../../testing/own-app-fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { OwnAppPage } from './OwnAppPage.tsx';

function Page() {
  const { ownAppId: id, tab, query } = useRoute();
  return id === null ? <p>elsewhere</p> : <OwnAppPage id={id} tab={tab} query={query} />;
}

const signedIn = { hub, name: 'me', problem: null };

function openPanel(answers: Answers, more: Partial<DaemonSnapshot> = {}, query = '') {
  window.location.hash = `#/apps/own/${ownAppId}?tab=publish${query}`;
  const dashboard = testDashboard(answers, { ownApps: ownAppsOf([ownApp()]), hubAccount: signedIn, ...more });
  renderDashboard(dashboard, <Page />);
  return dashboard;
}

async function openDialog(name = 'Publish…') {
  await userEvent.click(screen.getByRole('button', { name }));
  return within(await screen.findByRole('dialog', { name: 'Publish My first app' }));
}

const published = (dashboard: ReturnType<typeof openPanel>) =>
  dashboard.calls.flatMap(({ name, input }) => (name === 'publishOwnApp' ? [input] : []));

test('a publication says what it uploads, is private unless the user chooses otherwise, and goes on on the page', async () => {
  const dashboard = openPanel({
    previewPublication: () => publicationPreview(),
    publishOwnApp: () => ownAppWork('publish-app'),
  });
  const dialog = await openDialog();
  expect(
    await dialog.findByText('2 files (3.5 kB) will be uploaded to me/my_first_app, which only you see.'),
  ).toBeVisible();
  expect(dialog.getByRole('radio', { name: 'Private' })).toBeChecked();
  expect(dialog.getByRole('radio', { name: 'Public' })).toHaveAccessibleDescription(/^Everyone sees its source/);
  expect(dialog.getByRole('row', { name: 'my_first_app/main.py new 2.3 kB' })).toBeVisible();
  expect(dialog.getByText('0.1.0, the first')).toBeVisible();
  await userEvent.click(dialog.getByRole('radio', { name: 'Public' }));
  expect(
    dialog.getByText('2 files (3.5 kB) will be public, as me/my_first_app: everyone can read and install it.'),
  ).toBeVisible();
  await userEvent.click(dialog.getByRole('radio', { name: 'Private' }));
  expect(published(dashboard)).toEqual([]);
  await userEvent.click(dialog.getByRole('button', { name: 'Publish privately' }));
  expect(published(dashboard)).toEqual([{ params: { ownAppId }, body: { visibility: 'private' } }]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  const { apply } = dashboard.store.getState();
  act(() => apply({ type: 'job.changed', job: ownAppWork('publish-app') }));
  expect(screen.getByRole('progressbar', { name: 'Publishing My first app' })).toBeVisible();
  act(() => apply({ type: 'job.changed', job: ownAppWork('publish-app', { state: 'done' }) }));
  act(() => apply({ type: 'own-apps.changed', ownApps: ownAppsOf([ownApp({ space: publishedSpace() })]) }));
  expect(screen.getByText('you only')).toBeVisible();
  expect(screen.getByRole('link', { name: 'See the Space' })).toHaveAttribute('href', publishedSpace().url);
  expect(screen.getByRole('link', { name: 'Find it in Discover' })).toHaveAttribute(
    'href',
    '#/apps?tab=discover&search=my_first_app',
  );
});

test('a publication is for everyone when the user chooses so', async () => {
  const dashboard = openPanel({
    previewPublication: () => publicationPreview(),
    publishOwnApp: () => ownAppWork('publish-app'),
  });
  const dialog = await openDialog();
  await userEvent.click(await dialog.findByRole('radio', { name: 'Public' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Publish for everyone' }));
  expect(published(dashboard)).toEqual([{ params: { ownAppId }, body: { visibility: 'public' } }]);
});

test('an update shows its versions, keeps the visibility, and overwrites changes made elsewhere only when asked to', async () => {
  const preview = publicationPreview({
    exists: true,
    private: false,
    publishedVersion: '0.1.0',
    nextVersion: '0.1.1',
    changedElsewhere: true,
    changes: [
      { path: 'README.md', change: 'changed', bytes: 1_200 },
      { path: 'old.py', change: 'removed', bytes: 0 },
    ],
  });
  const dashboard = openPanel(
    { previewPublication: () => preview, publishOwnApp: () => ownAppWork('publish-app') },
    { ownApps: ownAppsOf([ownApp({ space: publishedSpace({ private: false }) })]) },
  );
  const dialog = await openDialog('Publish an update…');
  expect(await dialog.findByText('0.1.0 → 0.1.1')).toBeVisible();
  expect(dialog.getByText(/^1 file \(1.2 kB\) and the removal of 1 file will be public/)).toBeVisible();
  expect(dialog.queryByRole('radio')).toBeNull();
  await waitFor(() => expect(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus());
  expect(dialog.getByRole('button', { name: 'Publish 0.1.1' })).toBeDisabled();
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Overwrite the changes made elsewhere' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Publish 0.1.1' }));
  expect(published(dashboard)).toEqual([{ params: { ownAppId }, body: { overwrite: true } }]);
});

test('a Space with the same files has nothing to publish', async () => {
  const preview = publicationPreview({ exists: true, private: true, publishedVersion: '0.1.0', changes: [] });
  openPanel({ previewPublication: () => preview });
  const dialog = await openDialog();
  expect(await dialog.findByText(/there is nothing to publish/)).toBeVisible();
  expect(dialog.queryByRole('button', { name: /^Publish/ })).toBeNull();
});

test('who is not signed in to the hub signs in here, and then sees what would be published', async () => {
  const dashboard = openPanel(
    { previewPublication: () => publicationPreview(), signInToHub: () => signedIn },
    { hubAccount: { ...signedIn, name: null } },
  );
  const dialog = await openDialog();
  await userEvent.type(dialog.getByLabelText('Access token of the hub'), 'hub_write{Enter}');
  expect(dashboard.calls).toEqual([{ name: 'signInToHub', input: { body: { token: 'hub_write' } } }]);
  act(() => dashboard.store.getState().apply({ type: 'hub-account.changed', hubAccount: signedIn }));
  expect(await dialog.findByRole('button', { name: 'Publish privately' })).toBeEnabled();
});

test('an account that may not write is asked for another token', async () => {
  let asked = 0;
  const previewPublication = () => {
    asked += 1;
    if (asked === 1) throw new DaemonError(409, 'The account me may only read.');
    return publicationPreview();
  };
  openPanel({ previewPublication, signInToHub: () => signedIn });
  const dialog = await openDialog();
  expect(await dialog.findByText(/may only read/)).toBeVisible();
  await userEvent.type(dialog.getByLabelText('Access token of the hub'), 'hub_write{Enter}');
  expect(await dialog.findByRole('button', { name: 'Publish privately' })).toBeEnabled();
});

test('problems that a check names are checked from here', async () => {
  const refuse = () => {
    throw new DaemonError(422, 'It has a problem: no entry point.');
  };
  const dashboard = openPanel({ previewPublication: refuse, checkOwnApp: () => ownAppWork('check-app') });
  const dialog = await openDialog();
  await userEvent.click(await dialog.findByRole('button', { name: 'Check it' }));
  expect(dashboard.calls.map(({ name }) => name)).toEqual(['previewPublication', 'checkOwnApp']);
  await waitFor(() => expect(screen.getByRole('tab', { name: 'Check' })).toHaveAttribute('aria-selected', 'true'));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test.each([
  ['problems-found', 'See the problems', `#/apps/own/${ownAppId}?tab=check`],
  ['changed-elsewhere', 'See the difference', `#/apps/own/${ownAppId}?tab=publish&publish=`],
  ['auth', 'See the hub account', '#/settings'],
] as const)('a publication that failed with %s leads on', (reason, name, href) => {
  const jobs = [ownAppWork('publish-app', { state: 'failed', failure: { ...failure, reason, message: 'It failed.' } })];
  openPanel({}, { jobs });
  expect(screen.getByText('It failed.')).toBeVisible();
  expect(screen.getByRole('link', { name })).toHaveAttribute('href', href);
});

test('an app that was never published says what publishing does, and leads to no Space', () => {
  openPanel({});
  const panel = within(screen.getByRole('region', { name: 'Publish' }));
  expect(panel.getByText(/^Publishing uploads the files of the folder to a Space/)).toBeVisible();
  expect(panel.getByRole('button', { name: 'Publish…' })).toBeEnabled();
  expect(panel.queryByRole('link')).toBeNull();
  expect(panel.queryByText('Published')).toBeNull();
});

test('a published app says as what, and finds its Space in a fresh copy of the store', async () => {
  const space = publishedSpace({ private: false, version: '0.3.0' });
  const dashboard = openPanel({}, { ownApps: ownAppsOf([ownApp({ space })]) });
  const panel = within(screen.getByRole('region', { name: 'Publish' }));
  const facts = panel.getAllByRole('definition').map(({ textContent }) => textContent);
  expect(facts).toEqual(['me/my_first_app', 'everyone', expect.stringMatching(/^0\.3\.0, ./)]);
  expect(panel.queryByText(/^Publishing uploads/)).toBeNull();
  expect(panel.queryByText('you only')).toBeNull();
  expect(panel.getByRole('link', { name: 'See the Space' })).toHaveAttribute('target', '_blank');
  await userEvent.click(panel.getByRole('link', { name: 'Find it in Discover' }));
  expect(dashboard.calls).toEqual([{ name: 'refreshStore', input: undefined }]);
});

test('a folder without a valid app cannot be published, and says why', () => {
  openPanel({}, { ownApps: ownAppsOf([ownApp({ name: null, title: 'my_first_app' })]) });
  expect(screen.getByRole('button', { name: 'Publish…' })).toBeDisabled();
  expect(screen.getByText('First, there must be a valid app in the folder.')).toBeVisible();
});

test('a folder that is gone cannot be published', () => {
  openPanel({}, { ownApps: ownAppsOf([ownApp({ exists: false })]) });
  expect(screen.getByRole('button', { name: 'Publish…' })).toBeDisabled();
  expect(screen.queryByText(/^First, there must be/)).toBeNull();
});

test('nothing is published while the daemon cannot be reached', () => {
  const dashboard = openPanel({});
  const { setConnection } = dashboard.store.getState();
  act(() => setConnection({ phase: 'lost', retryAt: null, lastSeen: null }));
  expect(screen.getByRole('button', { name: 'Publish…' })).toBeDisabled();
  act(() => setConnection({ phase: 'open' }));
  expect(screen.getByRole('button', { name: 'Publish…' })).toBeEnabled();
});

test('a publication under way takes the place of the button and of the dialog, also after the page was left', async () => {
  const answers = { previewPublication: () => publicationPreview() };
  const dashboard = openPanel(answers, { jobs: [ownAppWork('publish-app')] }, '&publish=');
  expect(screen.getByRole('progressbar', { name: 'Publishing My first app' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Publish…' })).toBeNull();
  expect(screen.queryByRole('dialog')).toBeNull();
  const done = ownAppWork('publish-app', { state: 'done' });
  act(() => dashboard.store.getState().apply({ type: 'job.changed', job: done }));
  expect(await screen.findByRole('dialog', { name: 'Publish My first app' })).toBeVisible();
  expect(screen.queryByRole('progressbar', { name: 'Publishing My first app' })).toBeNull();
});

test('the failure of a publication is dismissed here, and then the app can still be published', async () => {
  const jobs = [ownAppWork('publish-app', { state: 'failed', failure: { ...failure, message: 'It failed.' } })];
  openPanel({}, { jobs });
  expect(screen.getByRole('link', { name: 'See the log' })).toHaveAttribute('href', '#/activity');
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss this failure' }));
  expect(screen.queryByText('It failed.')).toBeNull();
  expect(screen.getByRole('button', { name: 'Publish…' })).toBeEnabled();
});
