import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { AppReset } from '../../../daemon/contract/apps/reset.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { type Answers, testDashboard } from '../../testing/fake-daemon.ts';
import { installedApp, moment, slotHeldBy } from '../../testing/fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { AppPage } from '../app/AppPage.tsx';
import { AppCard } from './AppCard.tsx';

const until = '2026-03-02T10:00:00.000Z';
const dance = installedApp('dance', 'Dance');
const wasReset = installedApp('dance', 'Dance', { reset: { at: moment, until } });
const contents = {
  ...{ files: 22, bytes: 1_200_000, variables: ['API_KEY', 'MOOD'] },
  largest: [
    { path: 'scores.json', bytes: 1_199_000, besideCode: false },
    { path: 'dance/counter.json', bytes: 1_000, besideCode: true },
  ],
};
const nothing: AppReset = { contents: { files: 0, bytes: 0, largest: [], variables: [] }, setAside: null };
const resetCall = { name: 'resetApp', input: { params: { appName: 'dance' } } };
const undoCall = { name: 'undoAppReset', input: { params: { appName: 'dance' } } };

/** The page of an app, with the dialog open as from the menu. */
async function ask(answers: Answers, snapshot: Parameters<typeof testDashboard>[1] = {}) {
  const dashboard = testDashboard(
    { getAppReset: () => ({ contents, setAside: null }) satisfies AppReset, ...answers },
    { installedApps: [dance], ...snapshot },
  );
  renderDashboard(dashboard, <AppPage name="dance" tab={null} />);
  await userEvent.click(screen.getByRole('button', { name: 'More for Dance' }));
  await userEvent.click(screen.getByRole('menuitem', { name: 'Reset…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Reset Dance' }));
  return { ...dashboard, dialog, changed: () => dashboard.calls.filter(({ name }) => /^(reset|undo)/.test(name)) };
}
const resetButton = (dialog: ReturnType<typeof within>) => dialog.getByRole('button', { name: 'Reset Dance' });

test('a reset lists what it removes, then closes, and the page offers its undo once', async () => {
  const { dialog, store, changed } = await ask({ resetApp: () => wasReset, undoAppReset: () => dance });
  expect(await dialog.findByText('Removes 22 files, 1.2 MB, and 2 variables.')).toBeVisible();
  const files = dialog.getByRole('list', { name: 'Files' });
  expect(
    within(files)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([...['scores.json1.2 MB', 'dance/counter.json beside its code1 kB', 'and 20 smaller files']]);
  expect(dialog.getByText('API_KEY, MOOD')).toBeVisible();
  expect(dialog.getByText(/^Its version, its models and its runs stay\./)).toBeVisible();
  await userEvent.click(resetButton(dialog));
  act(() => store.getState().apply({ type: 'installed-apps.changed', installedApps: [wasReset] }));
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  expect(screen.getByText('was reset.')).toHaveTextContent('Dance was reset.');
  await userEvent.click(screen.getByRole('button', { name: 'Undo the reset' }));
  expect(changed()).toEqual([resetCall, undoCall]);
});

/** The card of the installed app, as in a list. */
function Card() {
  const [app] = useDashboard((s) => s.installedApps);
  return app && <AppCard app={app} />;
}

test('on a card, which has no note, the dialog offers the undo, and closes after it', async () => {
  const dashboard = testDashboard(
    { getAppReset: () => ({ contents, setAside: null }), resetApp: () => wasReset, undoAppReset: () => dance },
    { installedApps: [dance] },
  );
  renderDashboard(dashboard, <Card />);
  await userEvent.click(screen.getByRole('button', { name: 'More for Dance' }));
  await userEvent.click(screen.getByRole('menuitem', { name: 'Reset…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Reset Dance' }));
  await dialog.findByText(/^Removes/);
  await userEvent.click(resetButton(dialog));
  act(() => dashboard.store.getState().apply({ type: 'installed-apps.changed', installedApps: [wasReset] }));
  expect(await dialog.findByText('was reset.')).toBeVisible();
  await userEvent.click(dialog.getByRole('button', { name: 'Undo the reset' }));
  expect(dashboard.calls.at(-1)).toEqual(undoCall);
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
});

test('where there is nothing to remove, that is said, and nothing can be pressed', async () => {
  const { dialog } = await ask({ getAppReset: () => nothing });
  expect(await dialog.findByText('It has saved no files, and has no variables.')).toBeVisible();
  expect(resetButton(dialog)).toBeDisabled();
});

test('variables alone are named where they are counted', async () => {
  const variables = { ...nothing.contents, variables: ['API_KEY', 'MOOD'] };
  const { dialog } = await ask({ getAppReset: () => ({ contents: variables, setAside: null }) });
  expect(await dialog.findByText(/^Removes/)).toHaveTextContent(/^Removes 2 variables: API_KEY, MOOD$/);
  expect(dialog.getAllByText(/API_KEY/)).toHaveLength(1);
});

test('a running app is stopped first, and a refusal says why', async () => {
  const refuse = () => Promise.reject(new DaemonError(409, 'Dance is being installed.'));
  const { dialog, store } = await ask({ resetApp: refuse }, { slot: slotHeldBy('dance') });
  await dialog.findByText(/^Removes/);
  expect(dialog.getByText('It is running. Stop it first.')).toBeVisible();
  expect(resetButton(dialog)).toBeDisabled();
  act(() => store.getState().apply({ type: 'app-slot.changed', slot: { state: 'free', lastRun: null } }));
  await userEvent.click(resetButton(dialog));
  expect(await dialog.findByRole('alert')).toHaveTextContent('Dance is being installed.');
});

test('a second reset says that the one before can no longer be undone', async () => {
  const { dialog } = await ask({}, { installedApps: [wasReset] });
  expect(await dialog.findByText(/^Its version/)).toHaveTextContent(
    /^Its version, its models and its runs stay\. You can undo the reset for 24 hours\. The reset .+ can then no longer be undone\.$/,
  );
});

/** The page of an app that was reset. */
function showReset(answers: Answers, snapshot: Parameters<typeof testDashboard>[1] = {}) {
  const dashboard = testDashboard(answers, { installedApps: [wasReset], ...snapshot });
  renderDashboard(dashboard, <AppPage name="dance" tab={null} />);
  return { ...dashboard, undo: () => screen.getByRole('button', { name: 'Undo the reset' }) };
}

test('the page of an app offers to undo its reset, as long as that is possible', async () => {
  const { undo, calls, store } = showReset({ undoAppReset: () => dance });
  expect(screen.getByText('was reset.')).toHaveTextContent('Dance was reset.');
  await userEvent.click(undo());
  expect(calls.map(({ name }) => name)).toContain('undoAppReset');
  act(() => store.getState().apply({ type: 'installed-apps.changed', installedApps: [dance] }));
  expect(screen.queryByText('was reset.')).toBeNull();
});

test('an undo that would remove something newer says what, and asks', async () => {
  const message = 'An undo of the reset deletes for good what was saved since: 1 file, 3 B.';
  const { undo, calls } = showReset({
    undoAppReset: ({ query }: { query?: { replace?: boolean } }) => {
      if (!query?.replace) throw new DaemonError(409, message, [], undefined, { code: 'saved-since-reset' });
      return dance;
    },
  });
  await userEvent.click(undo());
  expect(screen.getAllByRole('alert')).toHaveLength(1);
  expect(screen.getByRole('alert')).toHaveTextContent(message);
  expect(undo(), 'the question has the answer').toBeDisabled();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('alert')).toBeNull();
  await userEvent.click(undo());
  await userEvent.click(screen.getByRole('button', { name: 'Undo the reset and lose that' }));
  expect(calls.at(-1)).toEqual({
    ...{ name: 'undoAppReset', input: { params: { appName: 'dance' }, query: { replace: true } } },
  });
});

test('the reset of a running app is undone once it is stopped', () => {
  const { undo } = showReset({}, { slot: slotHeldBy('dance') });
  expect(undo()).toBeDisabled();
  expect(screen.getByText(/^Stop it first\. You can undo the reset until .+\.$/)).toBeVisible();
});

test('an address asks whether to reset the app, and no longer once that is answered', async () => {
  window.location.hash = '#/apps/dance?reset=';
  const dashboard = testDashboard({ getAppReset: () => nothing }, { installedApps: [dance] });
  renderDashboard(dashboard, <AppPage name="dance" tab={null} query="reset=" />);
  const dialog = within(await screen.findByRole('dialog', { name: 'Reset Dance' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(window.location.hash).toBe('#/apps/dance');
});
