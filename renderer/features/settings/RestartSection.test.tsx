import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { DaemonSnapshot, TerminalCall } from '../../../daemon/contract/daemon.ts';
import { sessionKey } from '../../slices/daemon/session-slice.ts';
import { type Answers, testDashboard } from '../../testing/fake-daemon.ts';
import { installedApp, installJob, slotHeldBy, snapshot } from '../../testing/fixtures.ts';
import { session } from '../../testing/model-fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { RestartSection } from './RestartSection.tsx';
import { STARTED_ELSEWHERE } from './restart-text.ts';

const terminal: TerminalCall = { program: ['robot-daemon'], dataDir: null, shell: 'posix' };
const { daemon } = snapshot();

function open(first: Partial<DaemonSnapshot>, answers: Answers = {}, isOwnUser = true) {
  const dashboard = testDashboard(answers, first);
  dashboard.store.getState().setAnswer(sessionKey, session({ isOwnUser }));
  renderDashboard(dashboard, <RestartSection />);
  return dashboard;
}
const busy: Pick<DaemonSnapshot, 'daemon' | 'installedApps' | 'slot' | 'jobs' | 'endpoints'> = {
  daemon: { ...daemon, canRestart: true },
  installedApps: [installedApp('wave', 'Wave')],
  slot: slotHeldBy('wave'),
  jobs: [installJob('dance')],
  endpoints: { total: 3, revision: 1, states: { running: 1, initializing: 1, paused: 1 } },
};

async function asked() {
  await userEvent.click(screen.getByRole('button', { name: 'Restart the daemon…' }));
  return within(await screen.findByRole('dialog', { name: 'Restart the daemon' }));
}

test('before a restart everything that it stops is named; then the page waits until another daemon is there', async () => {
  const dashboard = open(busy, { restartDaemon: () => ({ restarting: true }) });
  const dialog = await asked();
  const list = within(dialog.getByRole('list', { name: 'What stops' }));
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Wave stops.',
    '2 endpoints stop and start again.',
    '1 job ends unfinished.',
  ]);
  await userEvent.click(dialog.getByRole('button', { name: 'Restart the daemon' }));
  expect(dashboard.calls.at(-1)).toEqual({ name: 'restartDaemon', input: { query: { interrupt: true } } });
  expect(await dialog.findByText(/^Restarting…/)).toHaveAttribute('role', 'status');
  const next = { ...daemon, instanceId: 'two' };
  act(() => dashboard.store.getState().apply({ type: 'snapshot', snapshot: snapshot({ daemon: next }) }));
  expect(dialog.getByText('It has started again.')).toBeVisible();
});

test('an idle daemon interrupts nothing, and refuses where work has begun meanwhile', async () => {
  const dashboard = open(
    { daemon: busy.daemon },
    {
      restartDaemon: () => {
        throw new DaemonError(409, '"wave" runs. A restart ends it.');
      },
    },
  );
  const dialog = await asked();
  expect(dialog.getByText('No app, no endpoint and no job is interrupted.')).toBeVisible();
  await userEvent.click(dialog.getByRole('button', { name: 'Restart the daemon' }));
  expect(dashboard.calls.at(-1)).toEqual({ name: 'restartDaemon', input: { query: { interrupt: false } } });
  expect(await dialog.findByRole('alert')).toHaveTextContent('"wave" runs. A restart ends it.');
  await userEvent.click(dialog.getByRole('button', { name: 'Keep it running' }));
  expect((await asked()).queryByRole('alert'), 'a refusal of the question before').toBeNull();
});

test('a daemon of a terminal cannot be restarted here: the page says why, and copies the command', async () => {
  const user = userEvent.setup(); // with a clipboard
  open({ daemon: { ...daemon, terminal } });
  expect(screen.getByText(STARTED_ELSEWHERE)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Restart the daemon…' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'More for a restart' }));
  await user.click(screen.getByRole('menuitem', { name: 'Copy as command' }));
  expect(await navigator.clipboard.readText()).toBe('robot-daemon restart');
});

test('a browser that signed in with a token may not restart it', () => {
  open({ daemon: busy.daemon }, {}, false);
  expect(screen.getByRole('button', { name: 'Restart the daemon…' })).toBeDisabled();
  expect(screen.getByText('Sign this browser in, above, with a code.')).toBeVisible();
});
