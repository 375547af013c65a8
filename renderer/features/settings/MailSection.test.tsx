import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { MailServer } from '../../../daemon/contract/notifications/mail-settings.ts';
import { type Answers, testDashboard } from '../../testing/fake-daemon.ts';
import { session } from '../../testing/model-fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { MailSection } from './MailSection.tsx';

const server: MailServer = {
  ...{ host: 'mail.example.org', port: 587, security: 'starttls', user: 'ada', hasPassword: true },
  ...{ from: 'robot@example.org', to: 'ada@example.org' },
};

async function shown(mail: MailServer | null, answers: Answers = {}, signedIn = true) {
  let saved = mail;
  const dashboard = testDashboard({
    listNotices: () => ({ notices: [] }),
    getSession: () => session({ signedIn }),
    getMailSettings: () => ({ mail: saved }),
    setMailSettings: (({
      body: { password, ...body },
    }: {
      body: Omit<MailServer, 'hasPassword'> & { password?: string };
    }) => {
      saved = { ...body, hasPassword: password !== undefined || (saved?.hasPassword ?? false) };
      return { mail: saved };
    }) as (input: never) => unknown,
    removeMailSettings: () => {
      saved = null;
      return { mail: null };
    },
    ...answers,
  });
  await act(() => dashboard.store.getState().loadSession());
  renderDashboard(dashboard, <MailSection />);
  const section = within(screen.getByRole('region', { name: 'Mail' }));
  const field = (name: string) => section.getByLabelText(name);
  const press = async (name: string) => userEvent.click(await section.findByRole('button', { name }));
  const last = () => dashboard.calls.filter(({ name }) => !['getMailSettings', 'listNotices'].includes(name)).at(-1);
  return { dashboard, section, field, press, last };
}

test('a server is entered, checked field by field, and saved; its password is nowhere in the page afterwards', async () => {
  const { dashboard, section, field, press, last } = await shown(null);
  await userEvent.type(await section.findByLabelText('Mail server'), 'https://mail.example.org');
  expect(section.getByRole('alert')).toHaveTextContent(/^Enter the name of a server, such as mail\.example\.org/);
  await userEvent.clear(field('Mail server'));
  await userEvent.type(field('Mail server'), 'mail.example.org');
  await userEvent.click(section.getByRole('radio', { name: 'TLS' }));
  expect(field('Port')).toHaveValue('465');
  await userEvent.clear(field('Port'));
  await userEvent.type(field('Port'), '4650');
  await userEvent.click(section.getByRole('radio', { name: 'None' }));
  expect(field('Port')).toHaveValue('4650');
  await userEvent.click(section.getByRole('radio', { name: 'STARTTLS' }));
  await userEvent.type(field('Password of the mail server'), 'hunter2');
  await userEvent.type(field('Sender'), 'robot@example.org');
  await press('Save');
  expect(section.getByText('Enter the user name that the password belongs to.')).toBeVisible();
  expect(section.getByText(/^Enter a mail address/)).toBeVisible();
  await userEvent.type(field('User name'), 'ada');
  await userEvent.type(field('Recipient'), ' ada@example.org ');
  await press('Save');
  const body = { ...server, port: 4650, password: 'hunter2' } as Partial<MailServer>;
  delete (body as { hasPassword?: boolean }).hasPassword;
  expect(last()).toEqual({ name: 'setMailSettings', input: { body } });
  expect(await section.findByRole('button', { name: 'Send a test mail' })).toBeEnabled();
  expect(field('Password of the mail server')).toHaveValue('');
  expect(field('Password of the mail server')).toHaveAttribute('placeholder', 'Saved, not shown');
  expect(JSON.stringify(dashboard.store.getState())).not.toContain('hunter2');
});

test('a change without a password keeps the saved one, and the daemon may ask for it at its field', async () => {
  const issues = [{ path: ['password'], message: 'Enter the password again.' }];
  let refuses = true;
  const refusal = new DaemonError(400, 'Enter the password again.', issues);
  const answers: Answers = { setMailSettings: () => (refuses ? Promise.reject(refusal) : { mail: server }) };
  const { section, field, press, last } = await shown(server, answers);
  expect(await section.findByRole('button', { name: 'Save the changes' })).toBeDisabled();
  await userEvent.clear(field('Port'));
  await userEvent.type(field('Port'), '2525');
  expect(section.getByRole('button', { name: 'Send a test mail' })).toBeDisabled();
  await press('Save the changes');
  expect(field('Password of the mail server')).toBeInvalid();
  expect(section.getByText('Enter the password again.')).toBeVisible();
  refuses = false;
  await userEvent.type(field('Password of the mail server'), 'x');
  await press('Save the changes');
  expect(last()).toMatchObject({ input: { body: { port: 2525, password: 'x' } } });
});

test('a test mail says that it was accepted, or why not', async () => {
  let works = false;
  const refusal = new DaemonError(502, 'mail.example.org does not accept the user name ada with this password.');
  const answers: Answers = { sendTestMail: () => (works ? { to: 'ada@example.org' } : Promise.reject(refusal)) };
  const { section, press } = await shown(server, answers);
  await press('Send a test mail');
  expect(await section.findByRole('alert')).toHaveTextContent('does not accept the user name ada');
  works = true;
  await press('Send a test mail');
  expect(await section.findByText('The server accepted a test mail to ada@example.org.')).toBeVisible();
  expect(section.queryByRole('alert')).toBeNull();
});

test('a refusal says what happened and what to do here, and is brought into view', async () => {
  const shownAt = vi.spyOn(Element.prototype, 'scrollIntoView');
  onTestFinished(() => shownAt.mockRestore());
  const refusal = new DaemonError(502, 'a.org does not answer. Check the port in Settings, under Mail.');
  const { section, press } = await shown(server, { sendTestMail: () => Promise.reject(refusal) });
  await press('Send a test mail');
  expect(await section.findByText('a.org does not answer.')).toBeVisible();
  expect(section.getByText('Check the port.')).toBeVisible();
  expect(shownAt.mock.contexts.map((box) => (box as Element).textContent)).toEqual([
    'a.org does not answer. Check the port.',
  ]);
});

test('mails that were not sent before are no longer reported once the server accepts one', async () => {
  const at = '2026-11-21T11:00:00.000Z';
  const about = { kind: 'endpoint-failed', endpoint: { namespace: 'lab', name: 'chat' }, title: 'lab/chat failed.' };
  const notice = { ...about, id: 'a', text: '', at, firstAt: at, times: 1, seen: true, mailAgainAt: null };
  const { section, press } = await shown(server, {
    listNotices: () => ({ notices: [{ ...notice, mailProblem: 'No mail server was set up.' }] }),
    sendTestMail: () => ({ to: 'ada@example.org' }),
  });
  expect(await section.findByText('The mail “lab/chat failed” was not sent.')).toBeVisible();
  await press('Send a test mail');
  expect(await section.findByText('The server accepted a test mail to ada@example.org.')).toBeVisible();
  expect(section.queryByText(/was not sent/)).toBeNull();
});

test('a save is confirmed, and the result of a test goes with the settings that were tested', async () => {
  const { section, field, press } = await shown(null, { sendTestMail: () => ({ to: 'ada@example.org' }) });
  await userEvent.type(await section.findByLabelText('Mail server'), 'mail.example.org');
  await userEvent.type(field('Sender'), 'robot@example.org');
  await userEvent.type(field('Recipient'), 'ada@example.org');
  expect(section.queryByText('Saved.')).toBeNull();
  await press('Save');
  expect(await section.findByText('Saved.')).toBeVisible();
  await press('Send a test mail');
  expect(await section.findByText(/accepted a test mail/)).toBeVisible();
  await userEvent.type(field('Password of the mail server'), 'x');
  await userEvent.type(field('User name'), 'ada');
  expect(section.queryByText(/accepted a test mail/)).toBeNull();
  expect(section.getByText('Not saved yet.')).toBeVisible();
  await press('Save the changes');
  expect(await section.findByText('Saved.')).toBeVisible();
  expect(section.queryByText(/accepted a test mail/)).toBeNull();
});

test('the server can be forgotten; the form is empty then', async () => {
  const { section, press } = await shown(server);
  await press('Forget mail.example.org');
  expect(await section.findByRole('button', { name: 'Save' })).toBeVisible();
  expect(section.getByLabelText('Mail server')).toHaveValue('');
});

test('who is not signed in is asked to be; a token of some namespaces gets the reason', async () => {
  const { section } = await shown(server, {}, false);
  expect(section.getByText(/^Sign this browser in/)).toBeVisible();
  const refused = () => Promise.reject(new DaemonError(403, 'This token is for some namespaces only.'));
  document.body.replaceChildren();
  const limited = await shown(server, { getMailSettings: refused });
  expect(await limited.section.findByText(/This token is for some namespaces only\./)).toBeVisible();
});

test('mails that were not sent are reported, with the reason for the newest and its next try', async () => {
  const about = { kind: 'endpoint-failed', endpoint: { namespace: 'lab', name: 'chat' }, title: 'lab/chat failed.' };
  const notice = (id: string, mailProblem: string | null, mailAgainAt: string | null = null) => ({
    ...{ ...about, id, text: '', at: '2026-11-21T11:00:00.000Z', firstAt: '2026-11-21T11:00:00.000Z' },
    ...{ times: 1, seen: true, mailProblem, mailAgainAt },
  });
  let notices = [notice('a', null), notice('b', 'Nothing answers.', '2026-11-21T11:05:00.000Z'), notice('c', 'No.')];
  const { dashboard, section } = await shown(server, { listNotices: () => ({ notices }) });
  expect(await section.findByText('The mail “lab/chat failed” was not sent yet.')).toBeVisible();
  expect(section.getByText(/Nothing answers\. The next try is at .+\.$/)).toBeVisible();
  expect(section.getByText('One more was not sent: see Notifications, at the top.')).toBeVisible();
  notices = [notice('b', 'Nothing answers. It was tried 5 times.')];
  const notifications = { unseen: 0, revision: 9, newest: null, canMail: true };
  act(() => dashboard.store.getState().apply({ type: 'notifications.changed', notifications }));
  expect(await section.findByText('The mail “lab/chat failed” was not sent.')).toBeVisible();
  expect(section.getByText(/Nothing answers\. It was tried 5 times\.$/)).toBeVisible();
});
