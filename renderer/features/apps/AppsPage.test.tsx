import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import { useRoute } from '../../navigation/route.ts';
import { refusalOf } from '../../slices/base/commands.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { failure, installedApp, installJob, sampleApp, slotHeldBy } from '../../testing/fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { AppsPage } from './AppsPage.tsx';

const wave = sampleApp('hello_wave', 'Hello wave');

test('the progress of an install replaces its button, then Start does', async () => {
  const dashboard = testDashboard({ installApp: () => installJob('hello_wave') }, { sampleApps: [wave] });
  const { apply } = dashboard.store.getState();
  renderDashboard(dashboard, <AppsPage tab="samples" />);
  await userEvent.click(screen.getByRole('button', { name: 'Install Hello wave' }));
  expect(dashboard.calls).toEqual([{ name: 'installApp', input: { body: { url: '/samples/hello_wave' } } }]);

  act(() => apply({ type: 'job.changed', job: installJob('hello_wave') }));
  const card = within(screen.getByRole('article', { name: 'Hello wave' }));
  expect(card.queryByRole('button', { name: 'Install Hello wave' })).toBeNull();
  expect(card.getByText('Build the environment')).toBeVisible();
  expect(card.getByText('Resolving 12 packages')).toBeVisible();
  expect(card.getByRole('progressbar', { name: 'Installing Hello wave' })).toHaveAttribute('aria-valuenow', '1');
  expect(card.getByRole('button', { name: 'Cancel install of Hello wave' })).toBeEnabled();

  act(() => apply({ type: 'job.changed', job: installJob('hello_wave', { state: 'done' }) }));
  act(() => apply({ type: 'installed-apps.changed', installedApps: [installedApp('hello_wave', 'Hello wave')] }));
  expect(card.getByRole('button', { name: 'Start Hello wave' })).toBeEnabled();
});

test('a refused address or revision is explained at its field', async () => {
  const dashboard = testDashboard({
    installApp: ({ body }: { body: { revision?: string } }) => {
      if (body.revision) throw new DaemonError(400, 'Refused.', [{ path: ['revision'], message: 'Not a revision.' }]);
      throw new DaemonError(400, 'The body is invalid.', [{ path: ['url'], message: 'Give the whole path.' }]);
    },
  });
  renderDashboard(dashboard, <AppsPage tab={null} />);
  await userEvent.click(screen.getByRole('button', { name: 'Install…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Install an app' }));
  const field = dialog.getByRole('textbox', { name: 'Address' });
  await userEvent.type(field, 'wave');
  await userEvent.click(dialog.getByRole('button', { name: 'Install' }));
  expect(dialog.getByRole('alert')).toHaveTextContent(/^Give the whole path\.$/);
  expect(field).toBeInvalid();
  await userEvent.type(field, '2');
  expect(dialog.queryByRole('alert')).toBeNull();

  const revision = dialog.getByRole('textbox', { name: 'Revision' });
  await userEvent.type(revision, '--all');
  await userEvent.click(dialog.getByRole('button', { name: 'Install' }));
  expect(dashboard.calls.at(-1)?.input).toEqual({ body: { url: 'wave2', revision: '--all' } });
  expect(dialog.getByRole('alert')).toHaveTextContent('Not a revision.');
  expect(revision).toBeInvalid();
  expect(field).toBeValid();
});

test('a refused address keeps its text and the focus, is described by the reason, and leaves nothing behind', async () => {
  window.location.hash = '#/apps';
  const reason = '/nowhere does not exist, or may not be read.';
  const before = installJob('nowhere', { subject: '/nowhere', state: 'done' });
  const dashboard = testDashboard(
    {
      installApp: () => {
        throw new DaemonError(400, reason, [{ path: ['url'], message: reason }]);
      },
    },
    { jobs: [before] },
  );
  const jobs = () => dashboard.store.getState().jobs;
  renderDashboard(dashboard, <AppsPage tab={null} />);
  await userEvent.click(screen.getByRole('button', { name: 'Install…' }));
  const dialog = () => screen.getByRole('dialog', { name: 'Install an app' });
  const field = () => within(dialog()).getByRole('textbox', { name: 'Address' });
  await screen.findByRole('dialog', { name: 'Install an app' });
  await userEvent.type(field(), '/nowhere{Enter}');
  expect(within(dialog()).getByRole('alert')).toHaveTextContent(reason);
  expect(field()).toBeInvalid();
  expect(field()).toHaveAccessibleDescription(expect.stringContaining(reason));
  expect(field()).toHaveValue('/nowhere');
  expect(field()).toHaveFocus();
  expect(within(dialog()).getByRole('button', { name: 'Install' })).toBeEnabled();
  expect(jobs()).toEqual([before]);

  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.queryByText(reason)).toBeNull();
  expect(screen.queryByRole('region', { name: /failed$/ })).toBeNull();
  expect(refusalOf('install /nowhere')(dashboard.store.getState())).toBeNull(); // which Activity shows in the row of that job
  await userEvent.click(screen.getByRole('button', { name: 'Install…' }));
  await screen.findByRole('dialog', { name: 'Install an app' });
  await userEvent.type(field(), '/nowhere');
  expect(within(dialog()).queryByRole('alert')).toBeNull();
});

function Page() {
  const { tab, query } = useRoute();
  return <AppsPage tab={tab} query={query} />;
}
const cards = () => screen.queryAllByRole('article').map((card) => card.getAttribute('aria-label'));

test('a search of the installed apps is part of the address, and leads to the hub when nothing matches', async () => {
  window.location.hash = '#/apps';
  const installedApps = [installedApp('wave', 'Wave'), installedApp('dance', 'Dance')];
  renderDashboard(testDashboard({}, { installedApps }), <Page />);
  const field = screen.getByRole('textbox', { name: 'Search your apps' });
  expect(screen.getByRole('tab', { name: 'Installed 2' })).toBeVisible();
  expect(screen.queryByText('2 apps'), 'said once').toBeNull();
  await userEvent.type(field, 'dan');
  await waitFor(() => expect(window.location.hash).toBe('#/apps?search=dan'));
  expect(cards()).toEqual(['Dance']);
  expect(screen.getByText('1 app')).toBeVisible();
  await userEvent.type(field, 'xy');
  expect(await screen.findByRole('heading', { name: 'None of your apps matches "danxy"' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Search the hub for it' })).toHaveAttribute(
    'href',
    '#/apps?tab=discover&search=danxy',
  );
});

test("the running app's card comes first, but no card moves while the focus is in the list", async () => {
  const installedApps = [installedApp('wave', 'Wave'), installedApp('dance', 'Dance')];
  const dashboard = testDashboard({ stopCurrentApp: () => ({}) }, { installedApps, slot: slotHeldBy('wave') });
  const { apply } = dashboard.store.getState();
  renderDashboard(dashboard, <AppsPage tab={null} />);
  expect(cards()).toEqual(['Wave', 'Dance']);
  act(() => screen.getByRole('link', { name: 'Wave' }).focus());
  act(() => apply({ type: 'app-slot.changed', slot: slotHeldBy('dance') }));
  expect(cards()).toEqual(['Wave', 'Dance']);
  act(() => screen.getByRole('textbox', { name: 'Search your apps' }).focus());
  await waitFor(() => expect(cards()).toEqual(['Dance', 'Wave']));
});

test('each failed install is a line below the apps until it is dismissed', async () => {
  const longer = { ...failure, message: 'box is not an app. It has no pyproject.toml.' };
  const jobs = [
    installJob('box', { id: 'box', appName: null, state: 'failed', failure: longer }),
    installJob('chest', { id: 'chest', appName: null, state: 'failed', failure }),
    installJob('dance', { id: 'dance', kind: 'update-app', state: 'failed', failure }),
  ];
  const installedApps = [installedApp('dance', 'Dance', { installedAt: '2026-03-01T09:00:00.000Z' })];
  renderDashboard(testDashboard({}, { jobs, installedApps }), <AppsPage tab={null} />);
  expect(screen.getAllByRole('article').map((card) => card.getAttribute('aria-label'))).toEqual(['Dance']);
  const failed = within(screen.getByRole('region', { name: '2 installs failed' }));
  expect(failed.getAllByRole('listitem')[0]).toHaveTextContent(/^boxbox is not an app\.See the log$/);
  expect(failed.getByRole('link', { name: 'See the log of the install of box' })).toHaveAttribute('href', '#/activity');
  await userEvent.click(failed.getByRole('button', { name: 'Dismiss the failed install of box' }));
  expect(screen.getByRole('region', { name: '1 install failed' })).toHaveTextContent('chest');
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss the failed install of chest' }));
  expect(screen.queryByRole('region', { name: /failed$/ })).toBeNull();
});

test('a failure is shown only where the install was started', async () => {
  const dashboard = testDashboard({ installApp: () => installJob('box') }, { sampleApps: [sampleApp('box', 'Box')] });
  const { apply } = dashboard.store.getState();
  const { rerender } = renderDashboard(dashboard, <AppsPage tab="samples" />);
  act(() => apply({ type: 'job.changed', job: installJob('box', { state: 'failed', failure }) }));
  expect(screen.getByText(failure.message)).toBeVisible();
  rerender(<AppsPage tab={null} />);
  expect(screen.queryByText(failure.message)).toBeNull();

  await userEvent.click(screen.getByRole('button', { name: 'Install…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Install an app' }));
  await userEvent.type(dialog.getByRole('textbox', { name: 'Address' }), '/samples/box');
  await userEvent.click(dialog.getByRole('button', { name: 'Install' }));
  act(() => apply({ type: 'job.changed', job: installJob('box', { state: 'failed', failure }) }));
  expect(dialog.getByRole('alert')).toHaveTextContent(failure.message);
  expect(screen.queryByRole('region', { name: /failed$/, hidden: true })).toBeNull();
});

test('of several apps at an address, one is installed with a click', async () => {
  const apps = ['dance', 'wave'].map((name) => ({ name, address: `/home/ann/all/${name}` }));
  const dashboard = testDashboard({
    installApp: ({ body }: { body: { url: string } }) => installJob('all', { id: body.url, appName: null }),
  });
  const { apply } = dashboard.store.getState();
  renderDashboard(dashboard, <AppsPage tab={null} />);
  await userEvent.click(screen.getByRole('button', { name: 'Install…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Install an app' }));
  await userEvent.type(dialog.getByRole('textbox', { name: 'Address' }), '/home/ann/all');
  await userEvent.click(dialog.getByRole('button', { name: 'Install' }));
  const failed = installJob('all', { id: '/home/ann/all', state: 'failed', failure: { ...failure, apps } });
  act(() => apply({ type: 'job.changed', job: failed }));
  const found = within(dialog.getByRole('list', { name: 'Apps found there' }));
  expect(found.getAllByRole('listitem')[1]).toHaveTextContent('wave/home/ann/all/wave');
  await userEvent.click(found.getByRole('button', { name: 'Install wave' }));
  expect(dashboard.calls.at(-1)?.input).toEqual({ body: { url: '/home/ann/all/wave' } });
  expect(dialog.queryByRole('list', { name: 'Apps found there' })).toBeNull();
  expect(dialog.getByRole('textbox', { name: 'Address' })).toHaveValue('/home/ann/all/wave');
});

test('a search of many apps shows what matches, its end all of them, and a new app comes at once', async () => {
  window.location.hash = '#/apps';
  const installedApps = Array.from({ length: 70 }, (_, index) => installedApp(`app_${index}`, `App ${index}`));
  const dashboard = testDashboard({}, { installedApps });
  renderDashboard(dashboard, <Page />);
  await waitFor(() => expect(cards()).toHaveLength(70));
  const field = screen.getByRole('textbox', { name: 'Search your apps' });
  await userEvent.type(field, 'app_6{Enter}');
  const found = ['App 6', ...Array.from({ length: 10 }, (_, index) => `App ${60 + index}`)];
  await waitFor(() => expect(cards()).toEqual(found));
  expect(screen.getByText('11 apps')).toBeVisible();
  await waitFor(() => expect(screen.getByRole('link', { name: 'App 6' })).toHaveFocus());
  await userEvent.clear(field);
  await waitFor(() => expect(cards()).toHaveLength(70));
  expect(cards().slice(0, 3)).toEqual(['App 0', 'App 1', 'App 10']);
  const now = [...installedApps, installedApp('zebra', 'Zebra')];
  act(() => dashboard.store.getState().apply({ type: 'installed-apps.changed', installedApps: now }));
  expect(cards().at(-1)).toBe('Zebra');
});

test('every one of many apps has its card; a start renders no other card again', async () => {
  const rendered: string[] = [];
  const installedApps = Array.from({ length: 30 }, (_, index) => {
    const name = `app_${index}`;
    const get = () => {
      rendered.push(name); // a card reads it each time
      return null;
    };
    return Object.defineProperty(installedApp(name, `App ${index}`), 'icon', { enumerable: true, get });
  });
  const dashboard = testDashboard({ startApp: () => ({}) }, { installedApps });
  renderDashboard(dashboard, <AppsPage tab={null} />);
  const list = screen.getByRole('list', { name: 'Installed apps' });
  await waitFor(() => expect(list.children).toHaveLength(30));
  rendered.length = 0;
  await userEvent.click(screen.getByLabelText('Start App 7'));
  act(() => dashboard.store.getState().apply({ type: 'app-slot.changed', slot: slotHeldBy('app_7', 'starting') }));
  expect(screen.getByLabelText('Stop App 7')).toBeVisible();
  expect([...new Set(rendered)]).toEqual(['app_7']);
});
