import { act, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { AppVariable } from '../../../daemon/contract/apps/apps.ts';
import { keepFocus } from '../../parts/focus/focus-keeper.ts';
import { type Answers, testDashboard } from '../../testing/fake-daemon.ts';
import { installedApp, slotHeldBy } from '../../testing/fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { AppAbout } from './AppAbout.tsx';
import { VariablesSection } from './VariablesSection.tsx';

const app = installedApp('dance', 'Dance');
const plain: AppVariable = { name: 'BEAT', value: '120', secret: false };
const secret: AppVariable = { name: 'API_KEY', value: null, secret: true };

async function renderPanel(answers: Answers, snapshot = {}, wanted: string | null = null) {
  const dashboard = testDashboard({ listAppVariables: () => [plain, secret], ...answers }, snapshot);
  renderDashboard(dashboard, <VariablesSection appName="dance" wanted={wanted} />);
  await act(async () => {});
  return dashboard;
}

test('a secret that can no longer be read says so', async () => {
  await renderPanel({ listAppVariables: () => [{ ...secret, unreadable: true }] });
  expect(await screen.findByText('can no longer be read: replace it')).toBeVisible();
});

test('variables are listed, a secret never with its value', async () => {
  await renderPanel({});
  expect(screen.getByText('BEAT').closest('li')).toHaveTextContent('BEAT120');
  expect(screen.getByText('API_KEY').closest('li')).toHaveTextContent('stored, not shown');
});

test("a variable is added, and the daemon's new list is shown", async () => {
  const added = { name: 'TOKEN', value: null, secret: true };
  const dashboard = await renderPanel({ setAppVariable: () => [plain, secret, added] });
  await userEvent.click(screen.getByRole('button', { name: 'Add a variable' }));
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveFocus();
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'TOKEN');
  await userEvent.type(screen.getByRole('textbox', { name: 'Value' }), 'quiet');
  await userEvent.click(screen.getByRole('switch', { name: 'Secret' }));
  expect(screen.getByLabelText('Value')).toHaveAttribute('type', 'password');
  await userEvent.click(screen.getByRole('button', { name: 'Add' }));
  expect(dashboard.calls.at(-1)).toEqual({
    name: 'setAppVariable',
    input: { params: { appName: 'dance', variable: 'TOKEN' }, body: { value: 'quiet', secret: true } },
  });
  expect(await screen.findByText('TOKEN')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Add' })).toBeNull();
  expect(JSON.stringify(dashboard.store.getState())).not.toContain('quiet');
});

test('a variable that an app lacks is filled in, as a secret where its name says so', async () => {
  const dashboard = await renderPanel({ setAppVariable: () => [plain, secret] }, {}, 'SPEECH_TOKEN');
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('SPEECH_TOKEN');
  expect(screen.getByRole('switch', { name: 'Secret' })).toBeChecked();
  await vi.waitFor(() => expect(screen.getByLabelText('Value')).toHaveFocus());
  await userEvent.keyboard('quiet{Enter}');
  expect(dashboard.calls.at(-1)).toMatchObject({
    input: { params: { appName: 'dance', variable: 'SPEECH_TOKEN' }, body: { value: 'quiet', secret: true } },
  });
  expect(window.location.hash).toBe('#/apps/dance?tab=variables');
});

test('a wanted variable that exists is replaced', async () => {
  await renderPanel({}, {}, 'BEAT');
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('BEAT');
  expect(screen.getByRole('textbox', { name: 'Value' })).toHaveFocus();
  expect(screen.getByRole('button', { name: 'Replace' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Add' })).toBeNull();
});

test('the refusal of a reserved name is shown at its field', async () => {
  const message = 'This variable belongs to the system.';
  const issues = [{ path: ['variable'], message }];
  await renderPanel({ setAppVariable: () => Promise.reject(new DaemonError(400, 'Refused.', issues)) });
  await userEvent.click(screen.getByRole('button', { name: 'Add a variable' }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'PATH');
  await userEvent.click(screen.getByRole('button', { name: 'Add' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(/^This variable belongs to the system\.$/);
  expect(screen.getByRole('textbox', { name: 'Name' })).toBeInvalid();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a variable is replaced or removed, and the focus stays with the list', async () => {
  onTestFinished(keepFocus());
  const dashboard = await renderPanel({
    setAppVariable: () => [{ ...plain, value: '90' }, secret],
    removeAppVariable: () => [secret],
  });
  await userEvent.click(screen.getByRole('button', { name: 'Replace BEAT' }));
  expect(screen.getByRole('textbox', { name: 'Name' })).toBeDisabled();
  await userEvent.clear(screen.getByRole('textbox', { name: 'Value' }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Value' }), '90');
  await userEvent.click(screen.getByRole('button', { name: 'Replace' }));
  expect(dashboard.calls.at(-1)?.input).toMatchObject({ body: { value: '90', secret: false } });
  expect(await screen.findByText('90')).toBeVisible();
  await vi.waitFor(() => expect(screen.getByRole('button', { name: 'Replace BEAT' })).toHaveFocus());
  await userEvent.click(screen.getByRole('button', { name: 'Remove BEAT' }));
  expect(screen.queryByText('BEAT')).toBeNull();
  await vi.waitFor(() => expect(screen.getByRole('button', { name: 'Remove API_KEY' })).toHaveFocus());
});

test('a running app applies a change at its restart', async () => {
  await renderPanel({}, { slot: slotHeldBy('dance') });
  expect(screen.getByText('Restart the app to apply a change.')).toBeVisible();
});

test('apps that share a port are named', () => {
  const sharing = { ...app, settingsPage: { port: 8042, path: '/' }, sharesPortWith: ['hello'] };
  renderDashboard(testDashboard(), <AppAbout app={sharing} need={null} />);
  expect(screen.getByText("dance and hello both use port 8042; only the running one's page opens.")).toBeVisible();
});
