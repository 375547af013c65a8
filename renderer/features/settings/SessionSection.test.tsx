import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { TerminalCall } from '../../../daemon/contract/daemon.ts';
import type { DashboardSession } from '../../../daemon/contract/session.ts';
import { type Answers, testDashboard } from '../../testing/fake-daemon.ts';
import { moment, snapshot } from '../../testing/fixtures.ts';
import { session } from '../../testing/model-fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { BY_TOKEN } from '../session/session-text.ts';
import { SessionSection } from './SessionSection.tsx';

afterEach(() => {
  window.location.hash = '';
});

const browserSession = (id: string, change: Partial<DashboardSession> = {}): DashboardSession => ({
  id,
  browser: `Browser ${id}`,
  token: null,
  createdAt: moment,
  lastUsedAt: moment,
  expiresAt: '2026-03-31T10:00:00.000Z',
  isCurrent: false,
  ...change,
});
const own = browserSession('own', { isCurrent: true });

function open(answers: Answers) {
  const { daemon } = snapshot();
  const terminal: TerminalCall = { program: ['robot-daemon'], dataDir: '/data', shell: 'posix' };
  const dashboard = testDashboard(answers, { daemon: { ...daemon, terminal } });
  renderDashboard(dashboard, <SessionSection />);
  return dashboard;
}
const rows = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);

test('a sign-in address that no longer works says so, and how to get a new one', async () => {
  window.location.hash = '#/settings?sign-in=failed';
  open({ getSession: () => session({ signedIn: false }) });
  const note = await screen.findByRole('alert');
  expect(note).toHaveTextContent(/^This sign-in address no longer works.It was used before, has expired,/);
  expect(screen.getByLabelText('Code or token of the daemon')).toBeVisible();
  const user = userEvent.setup(); // with a clipboard
  await user.click(screen.getByRole('button', { name: 'More for this form' }));
  await user.click(screen.getByRole('menuitem', { name: 'Copy as command' }));
  expect(await navigator.clipboard.readText()).toBe('robot-daemon sign-in --data-dir /data');
});

test('a browser that is signed in all the same is not alarmed', async () => {
  window.location.hash = '#/settings?sign-in=failed';
  open({ getSession: () => session(), listSessions: () => [own] });
  expect(await screen.findByText(/^This browser is signed in/)).toBeVisible();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a code that is typed signs the browser in; one that is refused says so at the field, and is no token', async () => {
  let isSignedIn = false;
  const { calls } = open({
    getSession: () => session({ signedIn: isSignedIn, isOwnUser: isSignedIn }),
    listSessions: () => [own],
  });
  const fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response());
  onTestFinished(() => fetched.mockRestore());
  const field = await screen.findByLabelText('Code or token of the daemon');
  await userEvent.type(field, 'K7QF-2MXP-9TWD');
  expect(field).toHaveAttribute('type', 'text');
  await userEvent.click(screen.getByRole('button', { name: 'Sign this browser in' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('This code is unknown, was used, or has expired.');
  await userEvent.clear(field);
  await userEvent.paste('rd_secret');
  expect(field).toHaveAttribute('type', 'password');
  await userEvent.clear(field);
  isSignedIn = true;
  await userEvent.paste('http://127.0.0.1:8000/sign-in?code=long_code');
  await userEvent.keyboard('{Enter}');
  expect(await screen.findByText(/^This browser is signed in/)).toBeVisible();
  expect(fetched.mock.calls.map(([address]) => address)).toEqual([
    ...['/sign-in?code=K7QF-2MXP-9TWD', '/sign-in?code=long_code'],
  ]);
  expect(calls.map(({ name }) => name)).not.toContain('signIn');
});

test('another browser is let in with a code, which is shown with its address and how long it is valid', async () => {
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  open({
    getSession: () => session(),
    listSessions: () => [own],
    createSignInCode: () => ({ code: 'K7QF-2MXP-9TWD', expiresAt: inAnHour }),
  });
  const user = userEvent.setup(); // with a clipboard
  await user.click(await screen.findByRole('button', { name: 'Show a code' }));
  expect(await screen.findByText('K7QF-2MXP-9TWD')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Copy the address' }));
  expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}/sign-in?code=K7QF-2MXP-9TWD`);
  expect(screen.getByRole('button', { name: 'Show another code' })).toBeEnabled();
});

test('a browser that signed in with a token lets nobody in, and says why', async () => {
  open({ getSession: () => session({ isOwnUser: false }), listSessions: () => [own] });
  expect(await screen.findByText(BY_TOKEN)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Show a code' })).toBeNull();
});

test('the signed-in browsers are listed, and another one is signed out', async () => {
  let sessions = [own, browserSession('a', { token: 'ci' }), browserSession('w', { expiresAt: null })];
  const { calls } = open({
    getSession: () => session(),
    listSessions: () => sessions,
    endSession: ({ params }: { params: { sessionId: string } }) => {
      sessions = sessions.filter(({ id }) => id !== params.sessionId);
      return { ended: 1 };
    },
    endOtherSessions: () => {
      sessions = [own];
      return { ended: 1 };
    },
  });
  expect(await screen.findByText('this browser', { exact: false, selector: 'strong' })).toBeVisible();
  expect(rows()).toEqual([
    expect.stringMatching(/^Browser own · this browserLast used .* Ends 3\/31\/2026 if unused.$/),
    expect.stringMatching(/^Browser aLast used .* with the token ci. Ends .*Sign out$/),
    expect.stringMatching(/^Browser w.* Ends with the daemon.Sign out$/),
  ]);
  expect(screen.queryByRole('button', { name: 'Sign out Browser own' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Sign out Browser a' }));
  expect(calls).toContainEqual({ name: 'endSession', input: { params: { sessionId: 'a' } } });
  expect(rows()).toHaveLength(2);
  expect(screen.queryByRole('button', { name: 'Sign out all others' })).toBeNull();
});

test('all others are signed out at once', async () => {
  let sessions = [own, browserSession('a'), browserSession('b')];
  open({
    getSession: () => session(),
    listSessions: () => sessions,
    endOtherSessions: () => {
      sessions = [own];
      return { ended: 2 };
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Sign out all others' }));
  expect(rows()).toHaveLength(1);
});

test('a browser that was signed out elsewhere asks to sign in, when it hears of it or at its next command', async () => {
  let signedIn = true;
  const dashboard = open({
    getSession: () => session({ signedIn }),
    listSessions: () => [own, browserSession('a')],
    endSession: () => {
      throw new DaemonError(401, 'A valid bearer token of this daemon is required.');
    },
  });
  const end = await screen.findByRole('button', { name: 'Sign out Browser a' });
  signedIn = false;
  await userEvent.click(end);
  expect(await screen.findByLabelText('Code or token of the daemon')).toBeVisible();

  signedIn = true;
  // Its stream ended with the session; the next one begins with a snapshot.
  act(() => dashboard.store.getState().apply({ type: 'session.ended' }));
  act(() => dashboard.store.getState().apply({ type: 'snapshot', snapshot: snapshot() }));
  expect(await screen.findByText(/^This browser is signed in/)).toBeVisible();
});

test('an end that cannot be saved says so', async () => {
  open({
    getSession: () => session(),
    listSessions: () => [own, browserSession('a')],
    endSession: () => {
      throw new DaemonError(507, 'The disk is full.');
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Sign out Browser a' }));
  const section = within(screen.getByRole('region', { name: 'Signed-in browsers' }));
  expect(await section.findByRole('alert')).toHaveTextContent('The disk is full.');
});
