import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import { type Answers, testDashboard } from '../../testing/fake-daemon.ts';
import { appFromHub, installedApp } from '../../testing/fixtures.ts';
import { ownApp } from '../../testing/own-app-fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { EarlierInstalls } from './OwnAppNotes.tsx';

const source = { kind: 'folder', path: ownApp().folder } as const;
const current = installedApp('my_first_app', 'My first app', { source });
const nodder = installedApp('nodder', 'Nodder', { source });

function renderNotes(installedApps: InstalledApp[], answers: Answers = {}) {
  const dashboard = testDashboard(answers, { installedApps });
  renderDashboard(dashboard, <EarlierInstalls app={ownApp()} />);
  return dashboard;
}
const notes = () => screen.queryAllByText(/^This folder is still installed as/).map(({ textContent }) => textContent);
const removeButtons = () => screen.queryAllByRole('button', { name: /^Remove/ }).map(({ textContent }) => textContent);

async function openDialog() {
  await userEvent.click(screen.getByRole('button', { name: 'Remove nodder…' }));
  return within(await screen.findByRole('dialog', { name: 'Remove Nodder' }));
}

test('each app that was installed from the folder under an earlier name has its note and its button', () => {
  renderNotes([current, nodder, installedApp('waver', 'Waver', { source })]);
  const sentence = (name: string) => `This folder is still installed as ${name}, the earlier name of its app.`;
  expect(notes()).toEqual([sentence('nodder'), sentence('waver')]);
  expect(removeButtons()).toEqual(['Remove nodder…', 'Remove waver…']);
});

test.each([
  ['the app under its present name', current],
  ['an app of another folder', installedApp('nodder', 'Nodder')],
  [
    'an app of a folder inside this one',
    installedApp('nodder', 'Nodder', { source: { kind: 'folder', path: `${source.path}/old` } }),
  ],
  ['an app from the hub', appFromHub('nodder')],
])('%s is no earlier install', (_, app) => {
  renderNotes([app]);
  expect(notes()).toEqual([]);
  expect(removeButtons()).toEqual([]);
});

test('nothing is removed before the user confirms it in a dialog', async () => {
  const { calls } = renderNotes([nodder]);
  expect(screen.queryByRole('dialog')).toBeNull();
  const dialog = await openDialog();
  await userEvent.click(dialog.getByRole('button', { name: 'Keep it' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(calls.filter(({ name }) => name === 'removeApp')).toEqual([]);
  expect(notes()).toHaveLength(1);
});

test('a confirmed removal removes the earlier app and stays on the page', async () => {
  window.location.hash = '#/own-apps/here';
  const { calls, store } = renderNotes([current, nodder], { removeApp: () => ({}) });
  const dialog = await openDialog();
  await userEvent.click(dialog.getByRole('button', { name: /^Remove Nodder/ }));
  expect(calls.filter(({ name }) => name === 'removeApp')).toEqual([
    { name: 'removeApp', input: { params: { appName: 'nodder' } } },
  ]);
  await act(async () => {});
  expect(store.getState().commands['app nodder']?.pending, 'it was answered').toEqual([]);
  expect(window.location.hash).toBe('#/own-apps/here');
});

test('a removal that is not answered yet cannot be asked for again', async () => {
  const { calls } = renderNotes([nodder]);
  const dialog = await openDialog();
  const remove = dialog.getByRole('button', { name: /^Remove Nodder/ });
  await userEvent.click(remove);
  expect(remove).toHaveAttribute('aria-disabled', 'true');
  await userEvent.click(remove, { pointerEventsCheck: 0 });
  expect(calls.filter(({ name }) => name === 'removeApp')).toHaveLength(1);
});

test('a refused removal says why in the dialog, and can be asked for again', async () => {
  const refuse = () => Promise.reject(new DaemonError(409, 'nodder is being installed.'));
  renderNotes([nodder], { removeApp: refuse });
  const dialog = await openDialog();
  await userEvent.click(dialog.getByRole('button', { name: /^Remove Nodder/ }));
  expect(await dialog.findByText('nodder is being installed.')).toBeVisible();
  expect(dialog.getByRole('button', { name: /^Remove Nodder/ })).toBeEnabled();
});

test('the note goes when the earlier app has been removed', () => {
  const { store } = renderNotes([current, nodder]);
  expect(notes()).toHaveLength(1);
  act(() => store.setState({ installedApps: [current] }));
  expect(notes()).toEqual([]);
});

test('without a connection the note stays and its button is disabled', () => {
  const { store } = renderNotes([nodder]);
  expect(screen.getByRole('button', { name: 'Remove nodder…' })).toBeEnabled();
  act(() => store.getState().setConnection({ phase: 'connecting', lastSeen: null }));
  expect(notes()).toHaveLength(1);
  expect(screen.getByRole('button', { name: 'Remove nodder…' })).toBeDisabled();
});
