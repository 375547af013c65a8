import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { EndpointState, OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import type { EndpointFailure, EndpointReport } from '../../../daemon/contract/endpoints/endpoint-report.ts';
import { type TestDashboard, testDashboard } from '../../testing/fake-daemon.ts';
import {
  appFromHub,
  appVersion,
  commit,
  crashOf,
  failure,
  installedApp,
  installJob,
  moment,
  robotState,
  sampleApp,
  slotHeldBy,
} from '../../testing/fixtures.ts';
import { endpoint, endpointListing, ownEndpoint, replicaReport, session } from '../../testing/model-fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { HomePage } from './HomePage.tsx';

/** The calls, except of what the page loads. */
const commands = ({ calls }: Pick<TestDashboard, 'calls'>) => calls.filter(({ name }) => name !== 'getStorage');

/** The section, which is there only while anything needs attention. */
const needsAttention = () => screen.queryByRole('region', { name: 'Needs attention' });

test('a robot with a problem shows the reason and the action once', () => {
  const reason = 'A motor has shut down: stewart_3 (overloaded).';
  const action = 'Make sure that nothing blocks the robot, then wake it.';
  renderDashboard(testDashboard({}, { robot: robotState({ state: 'error', reason, action }) }), <HomePage />);
  const card = within(screen.getByRole('region', { name: 'Get the robot ready' }));
  expect(card.getByText(action)).toBeVisible();
  expect(screen.getAllByText(reason)).toHaveLength(1);
  expect(within(screen.getByRole('region', { name: 'The robot' })).getByText('Error')).toBeVisible();
  expect(needsAttention()).toBeNull();
});

const isPrimary = (button: HTMLElement) => button.dataset['variant'] === 'filled';

test.each([
  ['error', true],
  ['disconnected', false],
] as const)(
  'of a robot in the state %s the problem comes before the apps, whose Start is not the next step',
  async (state, canWake) => {
    const robot = robotState({ state, reason: 'A motor has shut down.', action: 'Free it, then wake the robot.' });
    const dashboard = testDashboard(
      { wakeUpRobot: () => ({}) },
      { robot, installedApps: [installedApp('dance', 'Dance')] },
    );
    renderDashboard(dashboard, <HomePage />);
    const headings = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
    expect(headings.slice(0, 2)).toEqual(['Get the robot ready', 'Start an app']);
    const start = screen.getByRole('button', { name: 'Start Dance' });
    expect(isPrimary(start)).toBe(false);
    const wake = screen.queryByRole('button', { name: 'Wake up' });
    expect(wake !== null).toBe(canWake);
    if (wake) await userEvent.click(wake);
    expect(commands(dashboard).map(({ name }) => name)).toEqual(canWake ? ['wakeUpRobot'] : []);
    act(() => dashboard.store.getState().apply({ type: 'robot.changed', robot: robotState() }));
    expect(screen.queryByRole('heading', { name: 'Get the robot ready' })).toBeNull();
    expect(isPrimary(start)).toBe(true);
  },
);

test('while an app runs, or while the robot connects by itself, its problem stays on its own card', () => {
  const lost = robotState({ state: 'disconnected', reason: 'Connecting.', action: null });
  const { unmount } = renderDashboard(testDashboard({}, { robot: lost }), <HomePage />);
  expect(within(screen.getByRole('region', { name: 'The robot' })).getByText('Connecting.')).toBeVisible();
  unmount();
  const robot = robotState({ state: 'error', reason: 'A motor has shut down.', action: 'Wake it.' });
  const installedApps = [installedApp('dance', 'Dance')];
  renderDashboard(testDashboard({}, { robot, installedApps, slot: slotHeldBy('dance') }), <HomePage />);
  expect(within(screen.getByRole('region', { name: 'The robot' })).getByText('A motor has shut down.')).toBeVisible();
  expect(screen.queryByRole('heading', { name: 'Get the robot ready' })).toBeNull();
});

test('one app is offered to start, with one button; the settings of one that does not run could not be opened', () => {
  const settingsPage = { port: 8042, path: '/' };
  const installedApps = [installedApp('dance', 'Dance', { settingsPage }), installedApp('wave', 'Wave')];
  const { store, ...dashboard } = testDashboard({}, { installedApps });
  renderDashboard({ store, ...dashboard }, <HomePage />);
  const next = within(screen.getByRole('region', { name: 'Start an app' }));
  expect(next.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual(['Start Dance']);
  expect(next.getByRole('link', { name: 'All apps' })).toHaveAttribute('href', '#/apps');
  act(() => store.getState().apply({ type: 'app-slot.changed', slot: slotHeldBy('dance') }));
  expect(screen.getByRole('button', { name: 'Settings of Dance' })).toBeVisible();
});

test('what runs has one control, and is said in the past while the daemon does not answer', () => {
  const dashboard = testDashboard({}, { installedApps: [installedApp('dance', 'Dance')], slot: slotHeldBy('dance') });
  renderDashboard(dashboard, <HomePage />);
  const runs = within(screen.getByRole('region', { name: 'Dance' }));
  expect(runs.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual(['Stop Dance']);
  expect(runs.getByText('running')).toBeVisible();
  act(() => dashboard.store.getState().setConnection({ phase: 'silent', lastSeen: Date.now() }));
  expect(runs.getByText('was running')).toBeVisible();
});

test('updates are listed under Needs attention, except of pinned apps', async () => {
  const update = { commit: commit('b'), seenAt: moment };
  const installedApps = [appFromHub('dance', { update }), appFromHub('wave', { update, pinned: true })];
  const dashboard = testDashboard({ updateApp: () => ({}) }, { installedApps });
  renderDashboard(dashboard, <HomePage />);
  const needs = within(screen.getByRole('region', { name: 'Needs attention' }));
  expect(needs.getByText('1 update available')).toBeVisible();
  await userEvent.click(needs.getByRole('button', { name: 'Update dance' }));
  expect(commands(dashboard)).toEqual([{ name: 'updateApp', input: { params: { appName: 'dance' } } }]);
});

test('an automatic rollback is shown until it is dismissed', async () => {
  const from = appVersion('dance', '1.1.0');
  const rolledBack = { from, at: moment, automatic: true, reason: 'It crashed at its first start.' };
  const run = crashOf('dance', { version: '1.1.0' });
  const installedApps = [appFromHub('dance', { rolledBack })];
  renderDashboard(testDashboard({}, { installedApps, crashes: [{ run, seen: false }] }), <HomePage />);
  const needs = within(screen.getByRole('region', { name: 'Needs attention' }));
  expect(needs.getByText('dance was rolled back from 1.1.0 to 1.0.0 automatically.')).toBeVisible();
  expect(needs.getByText(/^It crashed at its first start\./)).toBeVisible();
  expect(needs.queryByText(run.message)).toBeNull();
  await userEvent.click(needs.getByRole('button', { name: 'Dismiss this message' }));
  expect(needsAttention()).toBeNull();
});

test('a crash names its app until it is dismissed, whatever runs now; a force-stopped app needs no attention', async () => {
  const installedApps = [installedApp('polite', 'Polite')];
  const run = crashOf('polite', { message: 'It crashed.' });
  const slot = slotHeldBy('dance');
  const { store, ...dashboard } = testDashboard({}, { installedApps, slot, crashes: [{ run, seen: false }] });
  renderDashboard({ store, ...dashboard }, <HomePage />);
  const needs = within(screen.getByRole('region', { name: 'Needs attention' }));
  expect(needs.getByText(/It crashed\./)).toHaveTextContent('Polite: It crashed.');
  await userEvent.click(needs.getByRole('button', { name: 'Dismiss this message' }));
  expect(commands(dashboard)).toEqual([{ name: 'markCrashSeen', input: { params: { runId: 'run-1' } } }]);
  expect(needs.getByText(/It crashed\./), 'the daemon decides').toBeVisible();
  act(() => store.getState().apply({ type: 'app-crashes.changed', crashes: [{ run, seen: true }] }));
  expect(needsAttention()).toBeNull();
  const killed = crashOf('polite', { runId: 'run-2', outcome: 'killed', message: 'It was force-stopped.' });
  act(() => store.getState().apply({ type: 'app-slot.changed', slot: { state: 'free', lastRun: killed } }));
  expect(needsAttention()).toBeNull();
});

test('all failed jobs are one line', async () => {
  const jobs = [
    installJob('box', { id: 'box', state: 'failed', failure }),
    installJob('chest', { id: 'chest', state: 'failed', failure }),
    installJob('dance', { id: 'dance', kind: 'update-app', state: 'failed', failure }),
  ];
  renderDashboard(testDashboard({}, { jobs }), <HomePage />);
  const needs = within(screen.getByRole('region', { name: 'Needs attention' }));
  expect(needs.getByText(/failed/)).toHaveTextContent('2 installs and 1 update failed → Activity');
  expect(needs.getByRole('link', { name: 'Activity' })).toHaveAttribute('href', '#/activity');
  await userEvent.click(needs.getByRole('button', { name: 'Dismiss this message' }));
  expect(needsAttention()).toBeNull();
});

test('a failed job that is the only one is named, with the cause and what to do', () => {
  const jobs = [installJob('dance', { kind: 'update-app', state: 'failed', failure })];
  renderDashboard(testDashboard({}, { jobs }), <HomePage />);
  const note = within(screen.getByRole('region', { name: 'Jobs' }));
  expect(note.getByText(/failed/)).toHaveTextContent('The update of dance failed: box is not an app.');
  expect(note.getByText('Choose the folder of an app.')).toBeVisible();
  expect(note.getByRole('link', { name: 'See the log' })).toHaveAttribute('href', '#/activity');
});

test('little free space is told, and enough is not', async () => {
  const disk = { totalBytes: 64e9, freeBytes: 1.2e9 };
  const { unmount } = renderDashboard(testDashboard({ getStorage: () => ({ dataDir: '/data', disk }) }), <HomePage />);
  expect(await screen.findByText('Little space: 1.2 GB of 64.0 GB free')).toBeVisible();
  expect(screen.getByText(/they are in \/data\./)).toBeVisible();
  unmount();
  const enough = testDashboard({ getStorage: () => ({ dataDir: '/data', disk: { ...disk, freeBytes: 30e9 } }) });
  renderDashboard(enough, <HomePage />);
  await vi.waitFor(() => expect(enough.calls.map(({ name }) => name)).toContain('getStorage'));
  expect(screen.queryByText(/Little space/)).toBeNull();
});

test('the robot is woken or put to sleep here, and a running app says why it is not', async () => {
  const dashboard = testDashboard(
    { wakeUpRobot: () => ({}) },
    { robot: robotState({ state: 'asleep', torque: false }) },
  );
  renderDashboard(dashboard, <HomePage />);
  const robot = within(screen.getByRole('region', { name: 'The robot' }));
  await userEvent.click(robot.getByRole('button', { name: 'Wake up' }));
  expect(commands(dashboard)).toEqual([{ name: 'wakeUpRobot', input: undefined }]);
  act(() => dashboard.store.getState().apply({ type: 'robot.changed', robot: robotState() }));
  act(() => dashboard.store.getState().apply({ type: 'app-slot.changed', slot: slotHeldBy('dance') }));
  expect(robot.getByRole('button', { name: 'Put to sleep' })).toHaveAttribute('aria-disabled', 'true');
  const why = 'dance has the robot. Stop it first.';
  expect(robot.getByText(why)).toBeVisible();
  expect(robot.getByRole('button', { name: 'Put to sleep' })).toHaveAccessibleDescription(why);
});

test('the first screen leads around, if that is asked for, with a sentence for all that the rail leads to', async () => {
  renderDashboard(testDashboard({}, { sampleApps: [sampleApp('wave', 'Wave')] }), <HomePage />);
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView');
  onTestFinished(() => scroll.mockRestore());
  expect(screen.queryByRole('region', { name: 'What is where' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Show me around' }));
  expect(scroll.mock.contexts).toEqual([screen.getByRole('region', { name: 'What is where' })]);
  const tour = within(screen.getByRole('region', { name: 'What is where' }));
  expect(tour.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    ...['Home', 'Robot', 'Apps', 'Models', 'Activity', 'Settings'],
    'Help',
  ]);
  expect(tour.getAllByRole('definition').every(({ textContent }) => textContent !== '')).toBe(true);
  const hide = screen.getByRole('button', { name: 'Hide the tour' });
  expect(hide).toHaveFocus();
  await userEvent.click(hide);
  expect(screen.queryByRole('region', { name: 'What is where' })).toBeNull();
});

test.each([false, true])(
  'the only app is not offered to start after it crashed: its page says why, also once the crash is seen (%j)',
  (seen) => {
    const run = crashOf('wave');
    const dashboard = testDashboard(
      {},
      {
        installedApps: [installedApp('wave', 'Wave')],
        slot: { state: 'free', lastRun: run },
        crashes: [{ run, seen }],
      },
    );
    renderDashboard(dashboard, <HomePage />);
    const next = within(screen.getByRole('region', { name: 'Look into a crash' }));
    expect(next.getByText(/^wave crashed: ZeroDivisionError\./)).toBeVisible();
    expect(next.getByRole('link', { name: 'See why: Wave' })).toHaveAttribute('href', '#/apps/wave');
    expect(screen.queryByRole('button', { name: /^Start/ })).toBeNull();
    expect(needsAttention(), 'the next step tells it').toBeNull();
  },
);

test('where every app crashed, the list leaves out the one crash that the next step tells', () => {
  const crashes = ['wave', 'dance'].map((name) => ({ run: crashOf(name, { runId: `run-${name}` }), seen: false }));
  const installedApps = [installedApp('wave', 'Wave'), installedApp('dance', 'Dance')];
  renderDashboard(testDashboard({}, { installedApps, crashes }), <HomePage />);
  expect(screen.getByRole('link', { name: 'See why: Wave' })).toBeVisible();
  expect(screen.getAllByText(/crashed: ZeroDivisionError\./).map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^wave crashed: ZeroDivisionError\./),
    'Dance: dance crashed: ZeroDivisionError.',
  ]);
});

test('all is dismissed at once: crashes by the daemon, the rest in this browser', async () => {
  localStorage.clear();
  const jobs = [installJob('box', { id: 'box', state: 'failed', failure })];
  const run = crashOf('dance');
  const update = { commit: commit('b'), seenAt: moment };
  const dashboard = testDashboard(
    { markCrashSeen: () => ({}) },
    { jobs, crashes: [{ run, seen: false }], installedApps: [appFromHub('dance'), appFromHub('wave', { update })] },
  );
  renderDashboard(dashboard, <HomePage />);
  const needs = within(needsAttention() as HTMLElement);
  expect(needs.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    ...['Apps', 'Jobs', 'Updates'],
  ]);
  await userEvent.click(needs.getByRole('button', { name: 'Dismiss all' }));
  expect(commands(dashboard)).toEqual([{ name: 'markCrashSeen', input: { params: { runId: run.runId } } }]);
  act(() => dashboard.store.getState().apply({ type: 'app-crashes.changed', crashes: [{ run, seen: true }] }));
  expect(needsAttention()).toBeNull();
});

test('of hundreds of updates three are listed, and all are dismissed for good', async () => {
  localStorage.clear();
  const update = { commit: commit('b'), seenAt: moment };
  const installedApps = Array.from({ length: 500 }, (_, index) => appFromHub(`app_${index}`, { update }));
  const dashboard = testDashboard({}, { installedApps });
  renderDashboard(dashboard, <HomePage />);
  const updates = within(within(needsAttention() as HTMLElement).getByRole('region', { name: 'Updates' }));
  expect(updates.getByText('500 updates available')).toBeVisible();
  expect(updates.getAllByRole('button', { name: /^Update / })).toHaveLength(3);
  expect(updates.getAllByRole('listitem').at(-1)).toHaveTextContent('497 more → Apps');
  await userEvent.click(updates.getByRole('button', { name: 'Dismiss this message' }));
  expect(needsAttention()).toBeNull();
  const [first] = installedApps;
  if (!first) throw new Error('There are apps.');
  const news = { ...first, update: { commit: commit('c'), seenAt: moment } };
  act(() =>
    dashboard.store.getState().apply({
      type: 'installed-apps.changed',
      installedApps: [news, ...installedApps.slice(1)],
    }),
  );
  expect(within(needsAttention() as HTMLElement).getByText('1 update available')).toBeVisible();
});

const replicas = [replicaReport({ memoryBytes: 1.2e9 })];
const traffic = { requests: 12, failed: 0, inFlight: 0, cacheHits: 0, waiting: 0, lastRequestAt: moment };
const noFigures = {
  ...{ latencyMs: null, firstByteMs: null, tokensPerSecond: null },
  generatedPerSecond: { now: null, average: null },
};
function endpointIn(name: string, state: EndpointState, report: Partial<EndpointReport> = {}): OwnEndpoint {
  const own = ownEndpoint(name, { status: { ...endpoint(name).status, state } }, report);
  return { ...own, traffic: { ...traffic, ...noFigures } };
}
/** Answers a listing by name or state. */
const listing =
  (...all: readonly OwnEndpoint[]) =>
  ({ query }: { query: { name?: string; state?: string } }) =>
    endpointListing(
      all.filter(
        ({ endpoint: { name, status } }) =>
          (query.name === undefined || name === query.name) &&
          (query.state === undefined || status.state === query.state),
      ),
    );
const asksFor = ({ calls }: TestDashboard) => calls.filter(({ name }) => name === 'listOwnEndpoints').length;

test('what runs is the app with its endpoints, and the other endpoints that are awake, with what they use', async () => {
  const need = { task: 'text-generation', optional: false } as const;
  const needs = [
    { ...need, name: 'chat', endpoint: { namespace: 'local', name: 'talker' } },
    { ...need, name: 'old', endpoint: { namespace: 'local', name: 'gone' } },
    { ...need, name: 'extra', optional: true, endpoint: null },
  ];
  const dashboard = testDashboard(
    {
      listOwnEndpoints: listing(
        endpointIn('talker', 'scaledToZero'),
        endpointIn('other', 'running', { replicas }),
        endpointIn('broken', 'failed'),
      ),
    },
    {
      installedApps: [{ ...installedApp('reply', 'Reply'), needs }],
      slot: slotHeldBy('reply'),
      endpoints: { total: 3, revision: 1, states: { scaledToZero: 1, running: 1 } },
    },
  );
  renderDashboard(dashboard, <HomePage />);
  const used = await screen.findByRole('list', { name: 'Models it uses' });
  await within(used).findByText('asleep');
  expect(
    within(used)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['chattalkerasleep12 requests', 'oldits endpoint gone was deleted', 'extrano endpoint is assigned']);
  const others = within(await screen.findByRole('region', { name: 'Models that run' }));
  expect(others.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'otherrunning1.2 GB of memory · 12 requests',
  ]);
});

test('an app that lost the model it needs is named, with a link to choose another', async () => {
  const chat = { name: 'chat', task: 'text-generation', optional: false } as const;
  const endpointOf = (name: string) => ({ namespace: 'local', name });
  const apps = [
    { ...installedApp('reply', 'Reply'), needs: [{ ...chat, endpoint: endpointOf('gone') }] },
    { ...installedApp('dance', 'Dance'), needs: [{ ...chat, optional: true, endpoint: endpointOf('gone') }] },
    { ...installedApp('wave', 'Wave'), needs: [{ ...chat, endpoint: endpointOf('talker') }] },
    { ...installedApp('new', 'New'), needs: [{ ...chat, endpoint: null }] },
  ];
  const dashboard = testDashboard(
    { listOwnEndpoints: listing(endpointIn('talker', 'scaledToZero')) },
    { installedApps: apps },
  );
  renderDashboard(dashboard, <HomePage />);
  const needs = within(await screen.findByRole('region', { name: 'Needs attention' }));
  const link = await needs.findByRole('link', { name: 'Choose a model' });
  expect(link).toHaveAttribute('href', '#/apps/reply?tab=about&need=chat');
  expect(needs.getByText(/was deleted/)).toHaveTextContent(
    'Reply cannot start: local/gone, its model for “chat”, was deleted.',
  );
});

test('without endpoints Home asks for none', async () => {
  const dashboard = testDashboard({}, { endpoints: { total: 2, revision: 1, states: { paused: 2 } } });
  renderDashboard(dashboard, <HomePage />);
  await vi.waitFor(() => expect(dashboard.calls.map(({ name }) => name)).toContain('getStorage'));
  expect(needsAttention()).toBeNull();
  expect(screen.queryByRole('region', { name: 'Models that run' })).toBeNull();
  expect(asksFor(dashboard)).toBe(0);
});

test('failed endpoints need attention, with the cause and one action, until they are dismissed', async () => {
  localStorage.clear();
  const failed = (reason: EndpointFailure['reason'], message: string): Partial<EndpointReport> => ({
    failure: { reason, message, action: 'Do this.', evidence: [] },
  });
  const { store, ...dashboard } = testDashboard(
    {
      getSession: () => session(),
      resumeEndpoint: () => endpoint('crashy'),
      listOwnEndpoints: listing(
        endpointIn('crashy', 'failed', failed('crashed', 'It crashed.')),
        endpointIn('big', 'failed', failed('no-memory', 'The memory is full.')),
        endpointIn('half', 'updateFailed', failed('invalid-setting', 'The path is wrong.')),
      ),
    },
    { endpoints: { total: 3, revision: 1, states: { failed: 2, updateFailed: 1 } } },
  );
  renderDashboard({ store, ...dashboard }, <HomePage />);
  const needs = within(await screen.findByRole('region', { name: 'Needs attention' }));
  const title = (name: string) => needs.getByRole('link', { name }).closest('.note-title');
  await needs.findByRole('link', { name: 'crashy' });
  expect(title('crashy')).toHaveTextContent('crashy failed: It crashed.');
  expect(title('half')).toHaveTextContent('half update failed: The path is wrong.');
  expect(needs.getByRole('link', { name: 'Choose another recipe' })).toHaveAttribute('href', '#/models/anna/big-model');
  expect(needs.getByRole('link', { name: 'See what happened to half' })).toBeVisible();
  await userEvent.click(await needs.findByRole('button', { name: 'Resume crashy' }));
  expect(dashboard.calls.at(-1)).toEqual({
    ...{ name: 'resumeEndpoint', input: { params: { namespace: 'local', name: 'crashy' } } },
  });
  for (const _ of [1, 2, 3]) {
    await userEvent.click(needs.getAllByRole('button', { name: 'Dismiss this message' })[0] as HTMLElement);
  }
  expect(needsAttention()).toBeNull();
});

test('without a session a failed endpoint is only linked', async () => {
  const failure = { reason: 'crashed', message: 'It crashed again.', action: '', evidence: [] } as const;
  const dashboard = testDashboard(
    {
      getSession: () => session({ signedIn: false }),
      listOwnEndpoints: listing(endpointIn('shut', 'failed', { failure: { ...failure, evidence: [] } })),
    },
    { endpoints: { total: 1, revision: 1, states: { failed: 1 } } },
  );
  renderDashboard(dashboard, <HomePage />);
  expect(await screen.findByRole('link', { name: 'See what happened to shut' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Resume shut' })).toBeNull();
});

const failedAt = (name: string, minute: number): OwnEndpoint => {
  const own = endpointIn(name, 'failed');
  const updatedAt = `2026-03-01T10:0${minute}:00.000Z`;
  return { ...own, endpoint: { ...own.endpoint, status: { ...own.endpoint.status, updatedAt } } };
};

test('of seven failed endpoints the newest three are told, the others counted, and all of them dismissed', async () => {
  localStorage.clear();
  let endpoints = Array.from({ length: 7 }, (_, index) => failedAt(`e${index}`, index));
  const dashboard = testDashboard(
    { listOwnEndpoints: (input: { query: object }) => listing(...endpoints)(input) },
    { endpoints: { total: 7, revision: 1, states: { failed: 7 } } },
  );
  renderDashboard(dashboard, <HomePage />);
  const needs = within(await screen.findByRole('region', { name: 'Needs attention' }));
  const told = () => needs.getAllByRole('link', { name: /^e\d$/ }).map(({ textContent }) => textContent);
  expect(told()).toEqual(['e6', 'e5', 'e4']);
  expect(needs.getByText(/more endpoints failed/)).toHaveTextContent('4 more endpoints failed → Endpoints');
  await userEvent.click(needs.getAllByRole('button', { name: 'Dismiss this message' })[0] as HTMLElement);
  expect(told()).toEqual(['e5', 'e4', 'e3']);
  await userEvent.click(needs.getByRole('button', { name: 'Dismiss all' }));
  expect(needsAttention()).toBeNull();

  endpoints = [failedAt('e7', 8), ...endpoints];
  const states = { failed: 8 };
  act(() =>
    dashboard.store.getState().apply({ type: 'endpoints.changed', endpoints: { total: 8, revision: 2, states } }),
  );
  await screen.findByRole('link', { name: 'e7' });
  expect(within(needsAttention() as HTMLElement).queryByText(/more/)).toBeNull();
});

test('failed endpoints that cannot be listed are counted, and dismissed', async () => {
  const dashboard = testDashboard(
    { listOwnEndpoints: () => Promise.reject(new DaemonError(500, 'No.')) },
    { endpoints: { total: 2, revision: 1, states: { failed: 2 } } },
  );
  renderDashboard(dashboard, <HomePage />);
  const line = await screen.findByText(/endpoints failed/);
  expect(line).toHaveTextContent('2 endpoints failed → Endpoints');
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss all' }));
  expect(needsAttention()).toBeNull();
});

test('an unexpected end of the last daemon needs attention until it is dismissed', async () => {
  const dashboard = testDashboard();
  const { daemon } = dashboard.store.getState();
  const unexpectedEnd = {
    at: moment,
    what: 'Robot Desktop ended unexpectedly.',
    done: 'The app dance was ended. The robot was folded.',
    action: 'Start dance again if you need it.',
  };
  if (!daemon) throw new Error('The dashboard knows its daemon.');
  act(() => dashboard.store.getState().apply({ type: 'daemon.changed', daemon: { ...daemon, unexpectedEnd } }));
  renderDashboard(dashboard, <HomePage />);
  const section = within(screen.getByRole('region', { name: 'Needs attention' }));
  expect(section.getByText(unexpectedEnd.what)).toBeVisible();
  expect(section.getByText(/The robot was folded\. Start dance again if you need it\./)).toBeVisible();
  await userEvent.click(section.getByRole('button', { name: 'Dismiss this message' }));
  expect(screen.queryByText(unexpectedEnd.what)).toBeNull();
});
