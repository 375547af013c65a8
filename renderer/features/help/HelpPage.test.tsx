import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { DaemonSnapshot } from '../../../daemon/contract/daemon.ts';
import type { InstallationCheck, InstallationFinding } from '../../../daemon/contract/doctor/installation-check.ts';
import type { ProblemReport } from '../../../daemon/contract/doctor/problem-report.ts';
import type { Job } from '../../../daemon/contract/jobs.ts';
import { type Answers, testDashboard } from '../../testing/fake-daemon.ts';
import { failure, inSeconds, installJob, moment, snapshot } from '../../testing/fixtures.ts';
import { session } from '../../testing/model-fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { HelpPage } from './HelpPage.tsx';

const finding = (
  code: string,
  repair: InstallationFinding['repair'],
  cause: string | null = null,
): InstallationFinding => ({
  ...{ code, severity: 'broken', what: `It is ${code}.`, cause, where: `/data/${code}`, repair },
});
const closed = finding('record-damaged', { kind: 'when-closed' }, 'Power was lost.');

const checkOf = (...findings: readonly InstallationFinding[]): InstallationCheck => ({
  checkedAt: moment,
  facts: [{ name: 'Python', text: '3.12.4, /usr/bin/python3' }],
  findings: [...findings],
});
const checkJob = (change: Partial<Job> = {}): Job =>
  installJob('x', {
    ...{ id: 'check', kind: 'check-installation', subject: 'this installation', appName: null },
    steps: [
      { name: 'python', title: 'Find Python', state: 'done' },
      { name: 'checks', title: 'Check the apps', state: 'running' },
    ],
    detail: 'Trying dance',
    ...change,
  });

async function openPage(
  check: InstallationCheck | null,
  answers: Answers = {},
  { first = {}, signedIn = true }: { readonly first?: Partial<DaemonSnapshot>; readonly signedIn?: boolean } = {},
) {
  const dashboard = testDashboard(
    { getSession: () => session({ signedIn }), getInstallationCheck: () => ({ check }), ...answers },
    first,
  );
  renderDashboard(dashboard, <HelpPage />);
  await act(async () => {});
  const { apply } = dashboard.store.getState();
  return { ...dashboard, job: (job: Job) => act(() => apply({ type: 'job.changed', job })) };
}
const section = (name: string) => within(screen.getByRole('region', { name }));
const callsOf = ({ calls }: Awaited<ReturnType<typeof openPage>>, ...names: readonly string[]) =>
  calls.filter(({ name }) => names.includes(name)).map(({ name, input }) => [name, input]);

test('a check shows its step and what it does, can be cancelled, and its result comes when it has ended', async () => {
  let check: InstallationCheck | null = null;
  const page = await openPage(null, {
    getInstallationCheck: () => ({ check }),
    checkInstallation: () => checkJob(),
    cancelJob: () => ({}),
  });
  expect(section('This installation').getByText('It has not been checked since the program started.')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Check this installation' }));
  page.job(checkJob());
  expect(screen.getByRole('progressbar', { name: 'Checking this installation' })).toBeVisible();
  expect(screen.getByText('Trying dance')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel check of this installation' }));
  expect(callsOf(page, 'checkInstallation', 'cancelJob')).toEqual([
    ['checkInstallation', undefined],
    ['cancelJob', { params: { jobId: 'check' } }],
  ]);

  check = checkOf();
  page.job(checkJob({ state: 'done', endedAt: inSeconds(1) }));
  expect(await screen.findByText(/^No problems found\./)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Check again' })).toBeEnabled();
});

test('a check that failed or was cancelled says so', async () => {
  const page = await openPage(null);
  page.job(checkJob({ state: 'cancelled', endedAt: moment }));
  expect(screen.getByText('The last check was cancelled.')).toBeVisible();
  page.job(checkJob({ id: 'next', createdAt: inSeconds(1), state: 'failed', endedAt: inSeconds(2), failure }));
  expect(screen.getByText(failure.message)).toBeVisible();
});

test('a refusal of a check is shown', async () => {
  await openPage(null, { checkInstallation: () => Promise.reject(new DaemonError(403, 'Not for you.')) });
  await userEvent.click(screen.getByRole('button', { name: 'Check this installation' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Not for you.');
});

test('findings are grouped by severity, each with what happened, its likely cause, where, and what to do', async () => {
  const offline: InstallationFinding = {
    ...finding('hub-offline', { kind: 'by-hand', how: 'Check the network.' }),
    severity: 'note',
  };
  const { daemon } = snapshot();
  const terminal = { program: ['robot-daemon'], dataDir: null, shell: 'posix' } as const;
  await openPage(
    checkOf(closed, offline),
    {},
    { first: { daemon: { ...daemon, terminal: { ...terminal, program: [...terminal.program] } } } },
  );
  expect(screen.getByText(/^1 problem found\./)).toBeVisible();
  const broken = section('Does not work');
  for (const text of ['It is record-damaged.', 'Likely cause: Power was lost.', '/data/record-damaged']) {
    expect(broken.getByText(text)).toBeVisible();
  }
  expect(broken.getByText('For this repair, stop the daemon, then run this in a terminal:')).toBeVisible();
  expect(broken.getByText('robot-daemon doctor --fix')).toBeVisible();
  expect(broken.getByRole('button', { name: 'Copy the command that repairs this installation' })).toBeEnabled();
  expect(section('Worth knowing').getByText('Check the network.')).toBeVisible();
  expect(screen.queryByRole('region', { name: 'Wastes space' })).toBeNull();
});

test('a finding tells its place once, and none that is this machine', async () => {
  const path = '/data/volume.json';
  const damaged = { ...closed, what: `The file is damaged (${path} is damaged: it is not JSON.).`, where: path };
  const stopped = finding('container-engine', { kind: 'by-hand', how: 'Start the service. systemctl start podman' });
  await openPage(checkOf(damaged, { ...stopped, where: 'this machine' }));
  expect(screen.getByText('The file is damaged (it is not JSON).')).toBeVisible();
  expect(screen.getAllByText(path, { exact: false })).toHaveLength(1);
  expect(screen.queryByText('this machine')).toBeNull();
  expect(screen.getByRole('link', { name: 'This machine' })).toHaveAttribute('href', '#/models?tab=machine');
});

test('what a page of the dashboard does is a link to it', async () => {
  await openPage(checkOf(finding('model-unused', { kind: 'by-hand', how: 'To remove it: robot-daemon model rm f1' })));
  expect(screen.getByRole('link', { name: 'This machine' })).toHaveAttribute('href', '#/models?tab=machine');
  expect(screen.queryByText(/robot-daemon model rm/)).toBeNull();
});

test.each<[InstallationFinding['repair'], keyof Answers, object | undefined]>([
  [{ kind: 'use-previous', appName: 'dance' }, 'rollBackApp', { params: { appName: 'dance' } }],
  [{ kind: 'prune-downloads' }, 'pruneDownloadCache', undefined],
  [{ kind: 'remove-model-file', fileId: 'f1' }, 'removeModelFile', { params: { fileId: 'f1' } }],
])('%j is done by a press; a refusal says why', async (repair, call, input) => {
  let refuses = true;
  const answer = () => (refuses ? Promise.reject(new DaemonError(409, 'It is in use.')) : {});
  const page = await openPage(checkOf(finding('x', repair)), { [call]: answer });
  const button = screen.getByRole('button', { name: 'Repair: It is x.' });
  await userEvent.click(button);
  expect(await screen.findByRole('alert')).toHaveTextContent('It is in use.');
  refuses = false;
  await userEvent.click(button);
  expect(await screen.findByText('Done: check again to see whether it helped.')).toBeVisible();
  expect(callsOf(page, call)).toEqual([
    [call, input],
    [call, input],
  ]);
});

test('a finding that a repair did not help has its button again after the next check', async () => {
  const damaged = finding('downloads-damaged', { kind: 'prune-downloads' });
  let check = checkOf(damaged);
  const page = await openPage(check, {
    getInstallationCheck: () => ({ check }),
    pruneDownloadCache: () => ({ freedBytes: 0 }),
  });
  await userEvent.click(screen.getByRole('button', { name: 'Repair: It is downloads-damaged.' }));
  expect(await screen.findByText('Done: check again to see whether it helped.')).toBeVisible();
  check = { ...check, checkedAt: inSeconds(5) };
  page.job(checkJob({ state: 'done', endedAt: inSeconds(5) }));
  expect(await screen.findByRole('button', { name: 'Repair: It is downloads-damaged.' })).toBeEnabled();
});

test('an app is installed again by a job, whose progress, failure and end are shown', async () => {
  const repair = { kind: 'install-again', appName: 'dance', url: '/samples/dance' } as const;
  const earlier = installJob('dance', { id: 'earlier', state: 'done', endedAt: moment });
  const page = await openPage(
    checkOf(finding('x', repair)),
    { installApp: () => ({ id: 'again' }) },
    {
      first: { jobs: [earlier] },
    },
  );
  await userEvent.click(screen.getByRole('button', { name: 'Repair: It is x.' }));
  expect(callsOf(page, 'installApp')).toEqual([['installApp', { body: { url: '/samples/dance' } }]]);
  const again = (change: Partial<Job> = {}) =>
    page.job(installJob('dance', { id: 'again', createdAt: inSeconds(1), ...change }));
  again();
  expect(screen.getByRole('progressbar', { name: 'Installing dance' })).toBeVisible();
  again({ state: 'failed', endedAt: inSeconds(2), failure });
  expect(screen.getByText(failure.message)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Repair: It is x.' })).toBeEnabled();
  again({ state: 'done', endedAt: inSeconds(2) });
  expect(screen.getByText('Done: check again to see whether it helped.')).toBeVisible();
});

const report: ProblemReport = {
  createdAt: '2026-11-28T10:20:30.400Z',
  version: '1.2.3',
  parts: [
    { id: 'system', title: 'Versions and system', text: 'Node  24\n', isIncluded: true },
    { id: 'log', title: 'Log of the daemon', text: '10:00:00 info  one\n', isIncluded: true },
    { id: 'output-dance', title: 'Last lines of dance, which crashed', text: 'Boom.\n', isIncluded: false },
  ],
};

/** @returns the texts of the files that are saved */
function watchSaves(): Promise<string>[] {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] }); // a saved text is released later
  const saved: Promise<string>[] = [];
  const create = (blob: Blob) => {
    saved.push(blob.text());
    return 'blob:x';
  };
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: create, revokeObjectURL: () => {} }));
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  onTestFinished(() => {
    click.mockRestore();
    vi.unstubAllGlobals();
  });
  return saved;
}

test('a report is shown in parts with their sizes, each is looked at or left out, and what is chosen is saved', async () => {
  const saved = watchSaves();
  await openPage(null, { getProblemReport: () => report });
  await userEvent.click(screen.getByRole('button', { name: 'Collect the report' }));
  const parts = within(await screen.findByRole('list', { name: 'Parts of the report' }));
  const boxes = () => parts.getAllByRole('checkbox').map((box) => (box as HTMLInputElement).checked);
  expect(boxes()).toEqual([true, true, false]);
  expect(section('Report a problem').getByText('2 parts, 28 B')).toBeVisible();

  await userEvent.click(parts.getByText('Look at it', { selector: 'li:nth-child(2) summary', exact: false }));
  expect(await parts.findByRole('log', { name: 'Log of the daemon' })).toHaveTextContent('10:00:00 info one');

  await userEvent.click(parts.getByRole('checkbox', { name: 'Log of the daemon' }));
  await userEvent.click(parts.getByRole('checkbox', { name: 'Last lines of dance, which crashed' }));
  expect(boxes()).toEqual([true, false, true]);
  await userEvent.click(screen.getByRole('button', { name: 'Save the report' }));
  expect(screen.getByText(/^Saving robot-desktop-problem-2026-11-28-102030\.txt;/)).toBeVisible();
  const [text] = await Promise.all(saved);
  expect(text).toContain('Left out: Log of the daemon.');
  expect(text).toContain('== Last lines of dance, which crashed ==\n\nBoom.\n');
  expect(text).not.toContain('info  one');
});

test('a report without parts is not saved; one that cannot be collected says why', async () => {
  let fails = true;
  await openPage(null, {
    getProblemReport: () => (fails ? Promise.reject(new DaemonError(500, 'Internal error.')) : report),
  });
  await userEvent.click(screen.getByRole('button', { name: 'Collect the report' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Internal error.');
  fails = false;
  await userEvent.click(screen.getByRole('button', { name: 'Collect the report' }));
  for (const name of ['Versions and system', 'Log of the daemon']) {
    await userEvent.click(await screen.findByRole('checkbox', { name }));
  }
  expect(screen.getByRole('button', { name: 'Save the report' })).toBeDisabled();
});

test('a browser that is not signed in is asked to, and has the guides, the keys and the version', async () => {
  const page = await openPage(checkOf(), {}, { signedIn: false });
  expect(screen.getByRole('region', { name: 'Sign in to check this installation and report a problem' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Check this installation' })).toBeNull();
  expect(callsOf(page, 'getInstallationCheck')).toEqual([]);
  expect(section('About').getByText('0.1.0')).toBeVisible();
  expect(section('Guides').getByRole('link', { name: /interface for programs/ })).toHaveAttribute(
    'href',
    '/api-reference/',
  );
  await userEvent.click(screen.getByText('The robot on USB: plugging it in, permission, messages'));
  expect(await screen.findByText('Plugging it in')).toBeVisible();
  await userEvent.click(screen.getByText('Text of the licence'));
  expect(await screen.findByText(/Apache License/, { selector: 'pre' })).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Show all shortcuts' }));
  expect(await screen.findByRole('dialog', { name: 'Shortcuts' })).toBeVisible();
});
