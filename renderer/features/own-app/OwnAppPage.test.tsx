import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { OwnApp } from '../../../daemon/contract/apps/own-apps.ts';
import type { DaemonSnapshot } from '../../../daemon/contract/daemon.ts';
import { useRoute } from '../../navigation/route.ts';
import { type Answers, testDashboard } from '../../testing/fake-daemon.ts';
import { crashOf, failure, installedApp, installJob, outputPage, slotHeldBy } from '../../testing/fixtures.ts';
import {
  checkReport,
  finding,
  ownApp,
  ownAppId,
  ownAppsOf,
  ownAppWork,
  ownRun,
} from '../../testing/own-app-fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { OwnAppPage } from './OwnAppPage.tsx';

function Page() {
  const { ownAppId: id, tab, query } = useRoute();
  return id === null ? <p>elsewhere</p> : <OwnAppPage id={id} tab={tab} query={query} />;
}

interface Opened {
  readonly app?: Partial<OwnApp>;
  readonly canOpen?: boolean;
  readonly tab?: string;
  readonly more?: Partial<DaemonSnapshot>;
}

function openPage(answers: Answers = {}, { app = {}, canOpen = true, tab = 'output', more = {} }: Opened = {}) {
  window.location.hash = `#/apps/own/${ownAppId}?tab=${tab}`;
  const dashboard = testDashboard(answers, { ownApps: ownAppsOf([ownApp(app)], canOpen), ...more });
  renderDashboard(dashboard, <Page />);
  return dashboard;
}

const change = (dashboard: ReturnType<typeof openPage>, app: Partial<OwnApp>) =>
  act(() => dashboard.store.getState().apply({ type: 'own-apps.changed', ownApps: ownAppsOf([ownApp(app)]) }));

test('the page says that a change was taken, or why it was not, with the file and the line', async () => {
  const installedApps = [installedApp('my_first_app', 'My first app')];
  const output = outputPage({ runId: 'run-1', appName: 'my_first_app', last: 0 });
  const dashboard = openPage(
    { openOwnApp: () => ({ opened: '' }) },
    {
      app: { run: ownRun({ state: 'running', reloads: 1 }) },
      more: { installedApps, slot: slotHeldBy('my_first_app'), output },
    },
  );
  expect(screen.getByText('Save a file to restart it. Reloaded once.')).toBeVisible();
  expect(screen.getByRole('log', { name: 'Output' })).toBeVisible();
  const findings = [
    finding({ severity: 'problem', file: 'my_first_app/main.py', line: 12, message: 'A syntax error.' }),
  ];
  change(dashboard, { run: ownRun({ state: 'running', reloads: 1, problem: 'main.py is not valid.', findings }) });
  expect(screen.getByText('The last change was not taken: 1 problem. The earlier code keeps running.')).toBeVisible();
  const file = within(screen.getByRole('region', { name: 'my_first_app/main.py' }));
  expect(file.getByText('line 12')).toBeVisible();
  await userEvent.click(file.getByRole('button', { name: 'Open my_first_app/main.py' }));
  expect(dashboard.calls.filter(({ name }) => name === 'openOwnApp')).toEqual([
    { name: 'openOwnApp', input: { params: { ownAppId }, body: { file: 'my_first_app/main.py' } } },
  ]);
});

test('after a crash it waits for a change, and can be run again before', () => {
  openPage(
    {},
    {
      app: { run: ownRun({ state: 'waiting', problem: crashOf('my_first_app').message }) },
      more: {
        installedApps: [installedApp('my_first_app', 'My first app')],
        crashes: [{ run: crashOf('my_first_app'), seen: true }],
      },
    },
  );
  expect(screen.getByText('It starts again when you save a file.')).toBeVisible();
  expect(screen.getByText('my_first_app crashed: ZeroDivisionError.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Run again My first app' })).toHaveTextContent('Run again');
  expect(screen.getByRole('button', { name: 'Stop My first app' })).toBeEnabled();
});

test('an environment that could not be built says why, with the evidence', () => {
  const job = installJob('my_first_app', { subject: ownApp().folder, state: 'failed', failure });
  openPage(
    {},
    {
      app: { run: ownRun({ state: 'waiting', problem: `${failure.message} ${failure.action}` }) },
      more: { jobs: [job] },
    },
  );
  expect(screen.getByText(failure.message)).toBeVisible();
  expect(screen.getByText('no entry point')).toBeVisible();
  expect(screen.getByRole('link', { name: 'See the log' })).toHaveAttribute('href', '#/activity');
});

test('a new environment is built while the earlier code runs, with its progress', () => {
  const run = ownRun({ state: 'running', jobId: 'job-my_first_app' });
  openPage({}, { app: { run }, more: { jobs: [installJob('my_first_app')] } });
  expect(screen.getByRole('progressbar', { name: 'Installing My first app' })).toBeVisible();
  expect(screen.getByText(/the earlier code keeps running meanwhile/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Stop My first app' })).toBeEnabled();
});

test('a model that the app can use is chosen from here', () => {
  const needs = [{ name: 'chat', task: 'text-generation', optional: true, endpoint: null }] as const;
  openPage({}, { more: { installedApps: [installedApp('my_first_app', 'My first app', { needs: [...needs] })] } });
  expect(screen.getByText('Can use a chat model.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Choose a model' })).toHaveAttribute(
    'href',
    '#/apps/my_first_app?tab=about&need=chat',
  );
});

test('a folder whose app has another name now says that the earlier install stays, and removes it', async () => {
  const source = { kind: 'folder', path: ownApp().folder } as const;
  const earlier = installedApp('nodder', 'Nodder', { source });
  const installedApps = [installedApp('my_first_app', 'My first app', { source }), earlier];
  const { calls } = openPage({ removeApp: () => ({}) }, { more: { installedApps } });
  expect(screen.getByText('This folder is still installed as nodder, the earlier name of its app.')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Remove nodder…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Remove Nodder' }));
  await userEvent.click(dialog.getByRole('button', { name: /^Remove Nodder/ }));
  expect(calls.filter(({ name }) => name === 'removeApp')).toEqual([
    { name: 'removeApp', input: { params: { appName: 'nodder' } } },
  ]);
});

test('where no window can be shown, the folder and the place of a finding are copied', async () => {
  const writeText = vi.fn(async () => {});
  const user = userEvent.setup();
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(writeText);
  openPage({}, { canOpen: false, tab: 'check', app: { check: checkReport([finding({ line: 3 })]) } });
  await user.click(screen.getByRole('button', { name: 'Copy the path of the folder' }));
  await user.click(screen.getByRole('button', { name: 'Copy README.md:3' }));
  expect(writeText.mock.calls).toEqual([['/home/me/robot-apps/my_first_app'], ['README.md:3']]);
  expect(screen.queryByRole('button', { name: /^Open/ })).toBeNull();
});

test('a check shows its progress in the place of its button, then the findings by file', async () => {
  const dashboard = openPage({ checkOwnApp: () => ownAppWork('check-app') }, { tab: 'check' });
  const { apply } = dashboard.store.getState();
  await userEvent.click(screen.getByRole('button', { name: 'Check: My first app' }));
  act(() => apply({ type: 'job.changed', job: ownAppWork('check-app') }));
  expect(screen.getByRole('progressbar', { name: 'Checking My first app' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Cancel check of My first app' })).toBeEnabled();
  expect(screen.queryByRole('button', { name: /^Check/ })).toBeNull();
  const findings = [
    finding({ id: 'a', severity: 'problem', file: 'pyproject.toml', line: 4, message: 'First.', action: 'Do it.' }),
    finding({ id: 'b', file: 'README.md', line: null, message: 'Second.', action: null }),
    finding({ id: 'c', file: 'pyproject.toml', line: 9, message: 'Third.', action: null }),
    finding({ id: 'd', file: null, line: null, message: 'Fourth.', action: null }),
  ];
  const found = { ...failure, reason: 'problems-found', message: 'The check found a problem.' } as const;
  act(() => apply({ type: 'job.changed', job: ownAppWork('check-app', { state: 'failed', failure: found }) }));
  change(dashboard, { check: checkReport(findings) });
  expect(screen.getByText('1 problem and 3 warnings')).toBeVisible();
  const groups = ['pyproject.toml', 'README.md', 'The folder as a whole'];
  expect(groups.map((name) => within(screen.getByRole('region', { name })).getAllByRole('listitem').length)).toEqual([
    2, 1, 1,
  ]);
  expect(within(screen.getByRole('region', { name: 'pyproject.toml' })).getAllByRole('listitem')[0]).toHaveTextContent(
    'Problemline 4First.Do it.',
  );
  expect(screen.queryByText('The check found a problem.'), 'the list says it').toBeNull();
  expect(screen.getByRole('tab', { name: 'Check 4' })).toBeVisible();
});

test('a check that found nothing says so, and that it built the app too', () => {
  openPage({}, { tab: 'check', app: { check: checkReport() } });
  expect(screen.getByText('No problems')).toBeVisible();
  expect(screen.getByText(/It was also built, installed and loaded\.$/)).toBeVisible();
});

test('a check that could not be made says why', () => {
  const broken = { ...failure, reason: 'network', message: 'The package index does not answer.' } as const;
  const jobs = [ownAppWork('check-app', { state: 'failed', failure: broken })];
  openPage({}, { tab: 'check', more: { jobs } });
  expect(screen.getByText('The package index does not answer.')).toBeVisible();
});

test('a repair says what it will change before it does', async () => {
  const findings = [
    finding({ message: 'The tag is missing.', action: 'Add it.' }),
    finding({ id: 'x', message: 'Not that.', fixable: false }),
  ];
  const dashboard = openPage({ fixOwnApp: () => ownApp() }, { tab: 'check', app: { check: checkReport(findings) } });
  await userEvent.click(screen.getByRole('button', { name: 'Fix 1 finding…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Fix 1 finding' }));
  expect(dialog.getByRole('list', { name: 'What is changed' })).toHaveTextContent(
    'README.md:1The tag is missing.Add it.',
  );
  expect(dashboard.calls).toEqual([]);
  await userEvent.click(dialog.getByRole('button', { name: 'Fix 1 finding' }));
  expect(dashboard.calls).toEqual([{ name: 'fixOwnApp', input: { params: { ownAppId } } }]);
  change(dashboard, { check: checkReport([findings[1] ?? finding()], { built: false }) });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.queryByRole('button', { name: /^Fix/ })).toBeNull();
  expect(screen.getByText(/It was not built/)).toBeVisible();
});

test('an app leaves the list once it is stopped, and the page says that its folder stays', async () => {
  const dashboard = openPage({ forgetOwnApp: () => ownAppsOf([]) }, { app: { run: ownRun({ state: 'running' }) } });
  await userEvent.click(screen.getByRole('button', { name: 'More for My first app' }));
  await userEvent.click(screen.getByRole('menuitem', { name: 'Take off the list…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Take My first app off the list' }));
  expect(dialog.getByText(/stays, and so does what is installed/)).toHaveTextContent(
    '/home/me/robot-apps/my_first_app',
  );
  expect(dialog.getByRole('button', { name: 'Take off the list' })).toBeDisabled();
  change(dashboard, {});
  await userEvent.click(dialog.getByRole('button', { name: 'Take off the list' }));
  expect(dashboard.calls.map(({ name }) => name)).toContain('forgetOwnApp');
  await waitFor(() => expect(window.location.hash).toBe('#/apps?tab=create'));
});

test('a folder that is gone, and one without a valid app, say what to do', () => {
  const dashboard = openPage({}, { app: { exists: false } });
  expect(screen.getByText(/^Its folder is missing/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Run My first app' })).toBeDisabled();
  change(dashboard, { name: null });
  expect(screen.getByText(/no valid app in this folder/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'See the check' })).toHaveAttribute(
    'href',
    `#/apps/own/${ownAppId}?tab=check`,
  );
});

test('an address of an app that is not listed leads back', () => {
  window.location.hash = '#/apps/own/ffffffffffffffff';
  renderDashboard(testDashboard(), <Page />);
  expect(screen.getByRole('link', { name: 'See your apps' })).toHaveAttribute('href', '#/apps?tab=create');
});
