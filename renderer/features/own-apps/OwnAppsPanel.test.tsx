import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import { useRoute } from '../../navigation/route.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { appFromHub, installedApp, installJob, slotHeldBy } from '../../testing/fixtures.ts';
import {
  checkReport,
  finding,
  ownApp,
  ownAppId,
  ownAppsOf,
  ownRun,
  publishedSpace,
} from '../../testing/own-app-fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { AppsPage } from '../apps/AppsPage.tsx';

function Page() {
  const { tab, query } = useRoute();
  return <AppsPage tab={tab} query={query} />;
}

function openTab(dashboard: ReturnType<typeof testDashboard>, query = '') {
  window.location.hash = `#/apps?tab=create${query}`;
  renderDashboard(dashboard, <Page />);
  return dashboard;
}

async function openForm() {
  await userEvent.click(screen.getByRole('button', { name: 'New app' }));
  return within(await screen.findByRole('dialog', { name: 'New app' }));
}

test('a new app shows its folder and package as the name is typed, is created, and its page opens', async () => {
  const dashboard = openTab(testDashboard({ createOwnApp: () => ownApp() }, { ownApps: ownAppsOf([]) }));
  expect(screen.getByRole('heading', { name: 'You have not created an app yet' })).toBeVisible();
  const form = await openForm();
  const name = form.getByRole('textbox', { name: 'Name' });
  await waitFor(() => expect(name).toHaveFocus());
  expect(form.getByRole('button', { name: 'Create' })).toBeDisabled();
  await userEvent.type(name, 'Größer winken');
  expect(form.getByText('/home/me/robot-apps/grosser_winken')).toBeVisible();
  await userEvent.click(form.getByRole('radio', { name: 'Conversation' }));
  expect(form.getByRole('radio', { name: 'Conversation' })).toHaveAccessibleDescription(/follows a script/);
  await userEvent.click(form.getByRole('button', { name: 'Create' }));
  const body = { name: 'Größer winken', destination: '/home/me/robot-apps', template: 'conversation' };
  expect(dashboard.calls).toEqual([{ name: 'createOwnApp', input: { body } }]);
  await waitFor(() => expect(window.location.hash).toBe(`#/apps/own/${ownAppId}`));
});

test.each([
  [
    'Name',
    new DaemonError(400, 'Refused.', [{ path: ['name'], message: 'It is a word of Python.' }]),
    'word of Python',
  ],
  ['Name', new DaemonError(409, 'my_app exists already.'), 'exists already'],
  ['In the folder', new DaemonError(404, '/home/me/robot-apps does not exist.'), 'does not exist'],
])('a refusal is explained at the field %s, until it is changed', async (field, error, words) => {
  const refuse = () => {
    throw error;
  };
  openTab(testDashboard({ createOwnApp: refuse }, { ownApps: ownAppsOf([]) }));
  const form = await openForm();
  await userEvent.type(form.getByRole('textbox', { name: 'Name' }), 'my app{Enter}');
  expect(await form.findByRole('alert')).toHaveTextContent(words);
  expect(form.getByRole('textbox', { name: field })).toBeInvalid();
  await userEvent.type(form.getByRole('textbox', { name: field }), '2');
  expect(form.queryByRole('alert')).toBeNull();
});

test("a folder that is chosen in the window's dialog arrives with the address, and what was typed stays", async () => {
  openTab(testDashboard({}, { ownApps: ownAppsOf([]) }));
  const form = await openForm();
  await userEvent.type(form.getByRole('textbox', { name: 'Name' }), 'wave');
  act(() => {
    window.location.hash = '#/apps?tab=create&new=%2Fhome%2Fann%2Fmy+apps';
    window.dispatchEvent(new HashChangeEvent('hashchange'));
  });
  expect(form.getByRole('textbox', { name: 'In the folder' })).toHaveValue('/home/ann/my apps');
  expect(form.getByRole('textbox', { name: 'Name' })).toHaveValue('wave');
  expect(form.getByText('/home/ann/my apps/wave')).toBeVisible();
});

test('a folder of an existing app is added as it was copied, and its page opens', async () => {
  const dashboard = openTab(testDashboard({ addOwnApp: () => ownApp() }, { ownApps: ownAppsOf([]) }), '&add=');
  const dialog = within(await screen.findByRole('dialog', { name: 'Add a folder' }));
  await userEvent.type(dialog.getByRole('textbox', { name: 'Folder of the app' }), '"/home/ann/my app"{Enter}');
  expect(dashboard.calls).toEqual([{ name: 'addOwnApp', input: { body: { folder: '/home/ann/my app' } } }]);
  await waitFor(() => expect(window.location.hash).toBe(`#/apps/own/${ownAppId}`));
});

test('a card tells the folder, the state, the last check and where the app is published', () => {
  const apps = [
    ownApp({ check: checkReport([finding(), finding({ severity: 'problem', id: 'x' })]), space: publishedSpace() }),
    ownApp({ id: '1'.repeat(16), title: 'Waits', name: 'waits', run: ownRun({ state: 'waiting', problem: 'No.' }) }),
    ownApp({ id: '2'.repeat(16), title: 'Gone', name: null, version: null, exists: false }),
    ownApp({ id: '3'.repeat(16), title: 'Broken', name: null }),
  ];
  openTab(testDashboard({}, { ownApps: ownAppsOf(apps) }));
  const texts = screen.getAllByRole('article').map(({ textContent }) => textContent);
  expect(texts).toEqual([
    expect.stringContaining('not running'),
    expect.stringContaining('waiting'),
    expect.stringContaining('folder missing'),
    expect.stringContaining('not a valid app'),
  ]);
  expect(texts[0]).toContain('0.1.0 · check: 1 problem and 1 warning · published as me/my_first_app (private)');
  expect(texts[1]).toContain('No.');
  expect(screen.getByRole('button', { name: 'Run My first app' })).toBeEnabled();
  expect(screen.getByRole('button', { name: 'Run Gone' })).toBeDisabled();
  expect(screen.getByRole('tab', { name: 'Create 4' })).toBeVisible();
});

test('Run asks before it replaces the running app', async () => {
  const runOwnApp = ({ query }: { query?: object }) => {
    if (!query) throw new DaemonError(409, 'Dance is running.');
    return ownApp();
  };
  const dashboard = openTab(
    testDashboard(
      { runOwnApp },
      { ownApps: ownAppsOf([ownApp()]), installedApps: [installedApp('dance', 'Dance')], slot: slotHeldBy('dance') },
    ),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Run My first app' }));
  const replace = await screen.findByRole('button', { name: 'Replace Dance' });
  await waitFor(() => expect(replace).toHaveFocus());
  await userEvent.click(replace);
  const params = { ownAppId };
  expect(dashboard.calls.map(({ input }) => input)).toEqual([{ params }, { params, query: { replace: true } }]);
});

test('an app that runs as it was installed says so, and runs from its folder when asked to', async () => {
  const runOwnApp = () => {
    throw new DaemonError(409, 'It is running.');
  };
  const slot = slotHeldBy('my_first_app');
  openTab(testDashboard({ runOwnApp }, { ownApps: ownAppsOf([ownApp()]), slot }));
  expect(screen.getByText('runs as installed')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Run My first app' }));
  expect(await screen.findByText('It runs as it was installed.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Run it from this folder' })).toBeEnabled();
});

test('a card says where the app is installed from, and which of the two runs before one replaces the other', async () => {
  const runOwnApp = () => {
    throw new DaemonError(409, 'It is running.');
  };
  const fromHub = appFromHub('my_first_app');
  const dashboard = testDashboard(
    { runOwnApp },
    { ownApps: ownAppsOf([ownApp()]), slot: slotHeldBy('my_first_app'), installedApps: [fromHub] },
  );
  openTab(dashboard);
  expect(screen.getByText('Installed from anna/my_first_app. Run installs it from this folder instead.')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Run My first app' }));
  expect(await screen.findByText('The one installed from anna/my_first_app is running.')).toBeVisible();
  const source = { kind: 'folder', path: ownApp().folder } as const;
  const { version, installedAt } = fromHub;
  const installedApps = [{ ...fromHub, source, previous: { version, installedAt, source: fromHub.source } }];
  act(() => dashboard.store.getState().apply({ type: 'installed-apps.changed', installedApps }));
  expect(
    screen.getByText('Installed from this folder; you can return to the one from anna/my_first_app.'),
  ).toBeVisible();
});

test('the progress of the environment replaces Run, then Stop does until the app has ended', () => {
  const run = ownRun({ state: 'preparing', jobId: 'job-my_first_app' });
  const { store } = openTab(
    testDashboard({}, { ownApps: ownAppsOf([ownApp({ run })]), jobs: [installJob('my_first_app')] }),
  );
  expect(screen.getByRole('progressbar', { name: 'Installing My first app' })).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Run/ })).toBeNull();
  const running = ownAppsOf([ownApp({ run: ownRun({ state: 'running' }) })]);
  act(() => store.getState().apply({ type: 'own-apps.changed', ownApps: running }));
  expect(screen.getByRole('button', { name: 'Stop My first app' })).toBeEnabled();
  const { apply } = store.getState();
  act(() => apply({ type: 'app-slot.changed', slot: slotHeldBy('my_first_app', 'stopping') }));
  act(() => apply({ type: 'own-apps.changed', ownApps: ownAppsOf([ownApp()]) }));
  expect(screen.getByRole('button', { name: 'Stopping… My first app' })).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Run/ })).toBeNull();
  act(() => apply({ type: 'app-slot.changed', slot: { state: 'free', lastRun: null } }));
  expect(screen.getByRole('button', { name: 'Run My first app' })).toBeEnabled();
});
