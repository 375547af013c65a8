import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { Notice } from '../../../daemon/contract/notifications/notifications.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { crashOf, moment } from '../../testing/fixtures.ts';
import { endpoint, endpointListing, ownEndpoint, session } from '../../testing/model-fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { Announcer } from '../frame/Announcer.tsx';
import { NotificationBell } from './NotificationBell.tsx';
import { NotificationSwitches } from './NotificationSwitches.tsx';
import { NotificationsDialog } from './NotificationsDialog.tsx';

function notice(change: Partial<Notice> = {}): Notice {
  return {
    ...{ id: 'n1', kind: 'endpoint-failed', endpoint: { namespace: 'lab', name: 'chat' }, title: 'lab/chat failed.' },
    ...{ text: 'The model file is damaged.', at: moment, firstAt: moment, times: 1, seen: false },
    ...{ mailProblem: null, mailAgainAt: null },
    ...change,
  };
}
const status = (notices: readonly Notice[], revision = 0) => {
  const unseen = notices.filter(({ seen }) => !seen);
  return { unseen: unseen.length, revision, newest: unseen[0] ?? null, canMail: false };
};

test('the bell says how many are new, and a screen reader hears the newest', () => {
  const dashboard = testDashboard();
  const onPress = vi.fn();
  renderDashboard(
    dashboard,
    <>
      <NotificationBell onPress={onPress} />
      <Announcer />
    </>,
  );
  expect(screen.getByRole('button', { name: 'Notifications' })).toBeVisible();
  const notices = [notice(), notice({ id: 'n2' })];
  act(() => dashboard.store.getState().apply({ type: 'notifications.changed', notifications: status(notices, 1) }));
  expect(screen.getByRole('button', { name: 'Notifications, 2 new' })).toHaveTextContent('2');
  expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toContain(
    'lab/chat failed. The model file is damaged.',
  );
  const many = { ...status(notices, 2), unseen: 150 };
  act(() => dashboard.store.getState().apply({ type: 'notifications.changed', notifications: many }));
  expect(screen.getByRole('button', { name: 'Notifications, 150 new' })).toHaveTextContent('99+');
});

test('the list says what, why, how often and what was not mailed; it is cleared, and counts as seen once it is closed', async () => {
  const waits = { mailProblem: 'Nothing answers.', mailAgainAt: moment };
  let notices = [
    notice({ times: 3, mailProblem: 'No mail server was set up.' }),
    notice({ id: 'n2', kind: 'endpoint-running', title: 'lab/other runs.', text: '', seen: true, ...waits }),
  ];
  const dashboard = testDashboard(
    {
      listNotices: () => ({ notices }),
      markNoticesSeen: () => ({ notices }),
      clearNotices: () => ({ notices: [] }),
    },
    { notifications: status(notices) },
  );
  renderDashboard(dashboard, <NotificationsDialog onClose={() => {}} />);
  const list = within(await screen.findByRole('list', { name: 'News' }));
  const [first, second] = list.getAllByRole('listitem') as [HTMLElement, HTMLElement];
  expect(first).toHaveTextContent(/^lab\/chat failed.*new.*The model file is damaged\.3 times since/);
  expect(first).toHaveTextContent('It could not be mailed: No mail server was set up.');
  expect(second).toHaveTextContent(/Not mailed yet: Nothing answers\. The next try is at .*\.$/);
  await userEvent.keyboard('{Escape}');
  expect(dashboard.calls.filter(({ name }) => name !== 'listNotices')).toEqual([
    { name: 'markNoticesSeen', input: undefined },
  ]);
  await userEvent.click(await screen.findByRole('button', { name: 'Clear' }));
  expect(dashboard.calls.at(-1)).toEqual({ name: 'clearNotices', input: undefined });
  notices = [];
  act(() => dashboard.store.getState().apply({ type: 'notifications.changed', notifications: status([], 1) }));
  expect(await screen.findByRole('heading', { name: 'Nothing new' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Activity' })).toHaveAttribute('href', '#/activity');
});

test('what needs attention is listed above the news, counts in the bell until the list was open, and is not told twice', async () => {
  localStorage.clear();
  const failed = ownEndpoint('chat', { status: { ...endpoint('chat').status, state: 'failed' } });
  const notices = [
    notice({ endpoint: { namespace: 'local', name: 'chat' } }),
    notice({
      id: 'n2',
      kind: 'endpoint-running',
      title: 'lab/other runs.',
      endpoint: { namespace: 'lab', name: 'other' },
    }),
  ];
  const dashboard = testDashboard(
    {
      listNotices: () => ({ notices }),
      markNoticesSeen: () => ({ notices }),
      listOwnEndpoints: () => endpointListing([failed]),
      getSession: () => session(),
    },
    {
      notifications: status(notices),
      endpoints: { total: 1, revision: 1, states: { failed: 1 } },
      crashes: [{ run: crashOf('dance'), seen: false }],
    },
  );
  renderDashboard(dashboard, <NotificationBell onPress={() => {}} />);
  expect(screen.getByRole('button', { name: 'Notifications, 3 new' })).toBeVisible();
  renderDashboard(dashboard, <NotificationsDialog onClose={() => {}} />);
  expect(await screen.findByRole('region', { name: 'Endpoints' })).toBeVisible();
  expect(screen.getByRole('region', { name: 'Apps' })).toBeVisible();
  const news = within(await screen.findByRole('list', { name: 'News' }));
  expect(news.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['lab/other runs']);
  await userEvent.keyboard('{Escape}');
  expect(dashboard.calls.map(({ name }) => name)).toContain('markNoticesSeen');
  act(() => dashboard.store.getState().apply({ type: 'notifications.changed', notifications: status([], 1) }));
  expect(screen.getByRole('button', { name: 'Notifications' })).toBeVisible();
});

test('of a failure that the list tells, the news say only that it could not be mailed', async () => {
  localStorage.clear();
  const failed = ownEndpoint('chat', { status: { ...endpoint('chat').status, state: 'failed' } });
  const mailProblem = 'No mail server was set up.';
  const notices = [notice({ endpoint: { namespace: 'local', name: 'chat' }, times: 2, mailProblem, seen: true })];
  const dashboard = testDashboard(
    {
      listNotices: () => ({ notices }),
      listOwnEndpoints: () => endpointListing([failed]),
      getSession: () => session(),
    },
    { notifications: status(notices), endpoints: { total: 1, revision: 1, states: { failed: 1 } } },
  );
  renderDashboard(dashboard, <NotificationsDialog onClose={() => {}} />);
  expect(await screen.findByRole('region', { name: 'Endpoints' })).toBeVisible();
  expect(await screen.findByRole('list', { name: 'News' })).toHaveTextContent(
    /^Mail about local\/chat .*It could not be mailed: No mail server was set up\.$/,
  );
  expect(screen.queryByText('The model file is damaged.')).toBeNull();
  expect(screen.queryByText(/times since/)).toBeNull();
});

test('a failure that was dismissed on Home is news until the list was open; one dismissed on the list is gone at once', async () => {
  localStorage.clear();
  const failed = ownEndpoint('chat', { status: { ...endpoint('chat').status, state: 'failed' } });
  let notices = [notice({ endpoint: { namespace: 'local', name: 'chat' } })];
  const answers = {
    listNotices: () => ({ notices }),
    markNoticesSeen: () => ({ notices }),
    listOwnEndpoints: () => endpointListing([failed]),
    getSession: () => session(),
  };
  const snapshot = () => ({
    notifications: status(notices),
    endpoints: { total: 1, revision: 1, states: { failed: 1 } },
  });
  const onList = renderDashboard(testDashboard(answers, snapshot()), <NotificationsDialog onClose={() => {}} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Dismiss all' }));
  expect(await screen.findByRole('heading', { name: 'Nothing new' })).toBeVisible();
  onList.unmount();

  const onHome = renderDashboard(testDashboard(answers, snapshot()), <NotificationsDialog onClose={() => {}} />);
  const news = await screen.findByRole('list', { name: 'News' });
  expect(news).toHaveTextContent(/^lab\/chat failed.* · new/);
  onHome.unmount();

  notices = [notice({ endpoint: { namespace: 'local', name: 'chat' }, seen: true })];
  renderDashboard(testDashboard(answers, snapshot()), <NotificationsDialog onClose={() => {}} />);
  expect(await screen.findByRole('heading', { name: 'Nothing new' })).toBeVisible();
});

test('while the daemon does not answer, closing the list asks nothing of it', async () => {
  const notices = [notice()];
  const dashboard = testDashboard({ listNotices: () => ({ notices }) }, { notifications: status(notices) });
  renderDashboard(dashboard, <NotificationsDialog onClose={() => {}} />);
  await screen.findByRole('list', { name: 'News' });
  act(() => dashboard.store.getState().setConnection({ phase: 'lost', retryAt: null, lastSeen: 0 }));
  await userEvent.keyboard('{Escape}');
  expect(dashboard.calls.map(({ name }) => name)).not.toContain('markNoticesSeen');
});

test('the link of an entry leads to the endpoint, and closes the list', async () => {
  const notices = [notice()];
  const dashboard = testDashboard(
    { listNotices: () => ({ notices }), markNoticesSeen: () => ({ notices }) },
    { notifications: status(notices) },
  );
  const onClose = vi.fn();
  renderDashboard(dashboard, <NotificationsDialog onClose={onClose} />);
  const link = await screen.findByRole('link', { name: 'lab/chat failed' });
  await userEvent.click(link);
  expect(onClose).toHaveBeenCalledOnce();
  expect(link).toHaveAttribute('href', '#/models/endpoints/lab/chat');
});

test('a list that cannot be loaded, and a command that is refused, say why', async () => {
  const refuse = () => {
    throw new DaemonError(507, 'The disk of /data is full.');
  };
  let isLoaded = false;
  const dashboard = testDashboard(
    { listNotices: () => (isLoaded ? { notices: [notice()] } : refuse()), clearNotices: refuse },
    { notifications: status([notice()]) },
  );
  renderDashboard(dashboard, <NotificationsDialog onClose={() => {}} />);
  expect(await screen.findByText('They could not be loaded: The disk of /data is full.')).toBeVisible();
  isLoaded = true;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Clear' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('The disk of /data is full.');
});

test('the switches choose the channels, and say that no mail server is set up until there is one', async () => {
  const dashboard = testDashboard();
  const onChange = vi.fn();
  renderDashboard(dashboard, <NotificationSwitches chosen={{ push: false, email: true }} onChange={onChange} />);
  const mail = screen.getByRole('switch', { name: 'Mail' });
  expect(mail).toBeChecked();
  expect(mail).toHaveAccessibleDescription(/^No mail server is set up\./);
  expect(screen.getByRole('link', { name: 'Set one up in Settings' })).toHaveAttribute(
    'href',
    '#/settings?section=mail',
  );
  await userEvent.click(screen.getByRole('switch', { name: 'Notifications' }));
  await userEvent.click(mail);
  expect(onChange.mock.calls).toEqual([[{ push: true, email: true }], [{ push: false, email: false }]]);
  const notifications = { ...status([]), canMail: true };
  act(() => dashboard.store.getState().apply({ type: 'notifications.changed', notifications }));
  expect(screen.queryByText(/No mail server/)).toBeNull();
});

test('without a mail server, Mail cannot be switched on', () => {
  const dashboard = testDashboard();
  renderDashboard(dashboard, <NotificationSwitches chosen={{ push: false, email: false }} onChange={() => {}} />);
  const mail = () => screen.getByRole('switch', { name: 'Mail' });
  expect(mail()).toBeDisabled();
  const notifications = { ...status([]), canMail: true };
  act(() => dashboard.store.getState().apply({ type: 'notifications.changed', notifications }));
  expect(mail()).toBeEnabled();
});
