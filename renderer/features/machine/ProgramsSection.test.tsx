import { act, cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { GraphicsCards } from '../../../daemon/contract/compute/graphics-cards.ts';
import type { RuntimeList } from '../../../daemon/contract/endpoints/runtimes.ts';
import type { Job } from '../../../daemon/contract/jobs.ts';
import { graphicsCardsKey } from '../../slices/models/graphics-cards.ts';
import { type Answers, testDashboard } from '../../testing/fake-daemon.ts';
import { failure, installJob } from '../../testing/fixtures.ts';
import { graphicsCards, runtimeList, session } from '../../testing/model-fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { InstallLlamaServer, ProgramsSection } from './ProgramsSection.tsx';

interface Shown {
  readonly list?: RuntimeList;
  readonly mayChange?: boolean;
  readonly jobs?: Job[];
  readonly answers?: Answers;
}

async function renderInstall({ list = runtimeList(), mayChange = true, jobs = [], answers = {} }: Shown = {}) {
  const dashboard = testDashboard({ getSession: () => session(), ...answers }, { jobs });
  const { container } = renderDashboard(
    dashboard,
    <div data-testid="here">
      <InstallLlamaServer list={list} mayChange={mayChange} />
    </div>,
  );
  await act(async () => {});
  return { ...dashboard, container };
}
const install = (change: Partial<Job> = {}) =>
  installJob('x', { kind: 'install-runtime', subject: 'llama-server', appName: null, ...change });
const button = () => screen.queryByRole('button', { name: /^Install llama-server/ });
const [missing, bundled] = runtimeList().runtimes as [RuntimeList['runtimes'][number], RuntimeList['runtimes'][number]];
const usable = { ...missing, version: 'b1', path: '/x/llama-server', problem: null };

test('the button says what llama-server is for and what is downloaded', async () => {
  const { container } = await renderInstall();
  expect(button()).toHaveTextContent('Install llama-server');
  expect(container).toHaveTextContent(
    'It reads images and runs models that the bundled program does not. Downloads version b1 from example.org, 45 MB.',
  );
  expect(screen.queryByText(/Sign in/)).toBeNull();
});

test.each([
  [true, true, /Downloads version b1 for graphics cards from example\.org, 45 MB\.$/],
  [false, false, /Downloads version b1 for the processor from example\.org, 45 MB\.$/],
  [false, true, /for the processor from example\.org, 45 MB\. Only the bundled program uses the graphics card\.$/],
])(
  'it says whether the download is for graphics cards (%s), and what uses a card that is here (%s)',
  async (usesCard, hasGpu, text) => {
    const { installable } = runtimeList();
    const list = { runtimes: [missing, { ...bundled, hasGpu }], installable: { ...installable, usesCard } };
    const { container } = await renderInstall({ list: runtimeList(list) });
    expect(container).toHaveTextContent(text);
  },
);

test('the programs are looked up again when a graphics card fails, and when it can be used again', async () => {
  const dashboard = testDashboard({ getSession: () => session(), listRuntimes: () => runtimeList() });
  const { store, calls } = dashboard;
  renderDashboard(dashboard, <ProgramsSection mayChange />);
  const show = (cards: GraphicsCards) => act(async () => store.getState().setAnswer(graphicsCardsKey, cards));
  const lookups = () => calls.filter(({ name }) => name === 'listRuntimes').length;
  await show(graphicsCards());
  expect(lookups()).toBe(1);
  const problem = { kind: 'card-lost', message: 'It is gone.', action: 'Look for it.' } as const;
  await show(graphicsCards({ problem }));
  await expect.poll(lookups).toBe(2);
  await show(graphicsCards());
  await expect.poll(lookups).toBe(3);
});

test('a press asks the daemon for the install once, and the button waits for the answer', async () => {
  const { calls } = await renderInstall();
  const pressed = screen.getByRole('button', { name: 'Install llama-server' });
  await userEvent.click(pressed);
  expect(pressed).toHaveAttribute('aria-disabled', 'true');
  expect(pressed).toHaveAttribute('data-loading', 'true');
  await userEvent.click(pressed, { pointerEventsCheck: 0 });
  expect(calls.filter(({ name }) => name === 'installLlamaServer')).toEqual([
    { name: 'installLlamaServer', input: undefined },
  ]);
});

test('after a refusal the button can be pressed again', async () => {
  const answers = { installLlamaServer: () => Promise.reject(new DaemonError(409, 'The disk is full.')) };
  const { calls } = await renderInstall({ answers });
  await userEvent.click(screen.getByRole('button', { name: 'Install llama-server' }));
  expect(button()).toBeEnabled();
  await userEvent.click(screen.getByRole('button', { name: 'Install llama-server' }));
  expect(calls.filter(({ name }) => name === 'installLlamaServer')).toHaveLength(2);
});

test.each(['queued', 'running'] as const)(
  'an install that is %s shows its progress in place of the button',
  async (state) => {
    await renderInstall({ jobs: [install({ state })] });
    expect(screen.getByRole('progressbar', { name: /llama-server$/ })).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Cancel install of llama-server' })).toBeEnabled();
    expect(button()).toBeNull();
  },
);

test('a running install shows its progress even where a usable llama-server is', async () => {
  await renderInstall({ list: runtimeList({ runtimes: [usable, bundled] }), jobs: [install()] });
  expect(screen.getByRole('progressbar')).toBeInTheDocument();
});

test('the install of an app is no install of llama-server', async () => {
  await renderInstall({ jobs: [installJob('dance')] });
  expect(screen.queryByRole('progressbar')).toBeNull();
  expect(button()).toBeEnabled();
});

test('where a usable llama-server is, nothing shows, not even why it cannot be downloaded', async () => {
  const installable = {
    version: null,
    host: null,
    sizeBytes: null,
    usesCard: null,
    replaces: false,
    problem: 'No build.',
  };
  await renderInstall({ list: runtimeList({ runtimes: [usable, bundled], installable }) });
  expect(screen.getByTestId('here')).toBeEmptyDOMElement();
});

test('where the llama-server that is here uses no graphics card, one for the card is offered', async () => {
  const { installable } = runtimeList();
  const list = { runtimes: [usable, bundled], installable: { ...installable, usesCard: true, replaces: true } };
  const { container, calls } = await renderInstall({ list: runtimeList(list) });
  expect(container).toHaveTextContent(
    'The llama-server that is here does not use the graphics card. Downloads version b1 for graphics cards from example.org, 45 MB.',
  );
  await userEvent.click(screen.getByRole('button', { name: 'Install llama-server for graphics cards' }));
  expect(calls.filter(({ name }) => name === 'installLlamaServer')).toHaveLength(1);
});

test('where there is no download, the reason replaces the button', async () => {
  const installable = {
    version: null,
    host: null,
    sizeBytes: null,
    usesCard: null,
    replaces: false,
    problem: 'No build for this processor.',
  };
  await renderInstall({ list: runtimeList({ installable }) });
  expect(screen.getByText('llama-server cannot be downloaded here: No build for this processor.')).toBeVisible();
  expect(button()).toBeNull();
});

test('who may not change anything is asked to sign in, without button and download', async () => {
  await renderInstall({ mayChange: false });
  expect(screen.getByText(/Sign in to install it\.$/)).toBeVisible();
  expect(screen.queryByText(/Downloads/)).toBeNull();
  expect(button()).toBeNull();
});

test('a failed install says why and what to do, links to the log, and is offered again', async () => {
  const { calls } = await renderInstall({ jobs: [install({ state: 'failed', failure })] });
  expect(screen.getByText(failure.message)).toBeVisible();
  expect(screen.getByText(failure.action)).toBeVisible();
  expect(screen.getByRole('link', { name: 'See the log' })).toHaveAttribute('href', '#/activity');
  await userEvent.click(screen.getByRole('button', { name: 'Install llama-server again' }));
  expect(calls.filter(({ name }) => name === 'installLlamaServer')).toHaveLength(1);
});

test('a failure can be dismissed, and the install is still offered again', async () => {
  await renderInstall({ jobs: [install({ state: 'failed', failure })] });
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss this failure' }));
  expect(screen.queryByText(failure.message)).toBeNull();
  expect(button()).toHaveTextContent('Install llama-server again');
});

test('a cancelled install shows no failure and is offered as at first', async () => {
  await renderInstall({ jobs: [install({ state: 'cancelled' })] });
  expect(screen.queryByRole('link', { name: 'See the log' })).toBeNull();
  expect(button()).toHaveTextContent(/^Install llama-server$/);
});

test('the button stands out only where no other program runs models', async () => {
  await renderInstall();
  expect(button()).toHaveAttribute('data-variant', 'default');
  cleanup();
  await renderInstall({ list: runtimeList({ runtimes: [missing] }) });
  expect(button()).toHaveAttribute('data-variant', 'filled');
});

test('without a connection the button is disabled', async () => {
  const { store } = await renderInstall();
  act(() => store.getState().setConnection({ phase: 'connecting', lastSeen: null }));
  expect(button()).toBeDisabled();
});
