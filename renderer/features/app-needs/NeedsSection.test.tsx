import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import type { AssignedNeed } from '../../../daemon/contract/apps/needs.ts';
import type { Endpoint, OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import { type Answers, testDashboard } from '../../testing/fake-daemon.ts';
import { installedApp, sampleApp, slotHeldBy } from '../../testing/fixtures.ts';
import { endpoint, endpointListing, ownEndpoint, session } from '../../testing/model-fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { AppPage } from '../app/AppPage.tsx';
import { SampleCard } from '../apps/SampleCard.tsx';

const chat: AssignedNeed = { name: 'chat', task: 'text-generation', optional: false, endpoint: null };
const withNeeds = (...needs: AssignedNeed[]) => installedApp('chatty', 'Chatty', { needs });

function served(name: string, task: Endpoint['model']['task'], state: Endpoint['status']['state'] = 'running') {
  const base = endpoint(name);
  return ownEndpoint(name, {
    model: { ...base.model, task },
    status: { ...base.status, state, message: `It is ${state}.` },
  });
}

async function open(app: InstalledApp, endpoints: readonly OwnEndpoint[], answers: Answers = {}, query = '') {
  const dashboard = testDashboard(
    {
      getSession: () => session(),
      listOwnEndpoints: () => endpointListing(endpoints),
      assignEndpoint: () => app,
      ...answers,
    },
    { installedApps: [app] },
  );
  renderDashboard(dashboard, <AppPage name={app.name} tab={null} query={query} />);
  await act(async () => {});
  const apply = (needs: AssignedNeed[]) =>
    act(() =>
      dashboard.store.getState().apply({ type: 'installed-apps.changed', installedApps: [withNeeds(...needs)] }),
    );
  const assigned = () => dashboard.calls.filter(({ name }) => name === 'assignEndpoint').map(({ input }) => input);
  return { ...dashboard, apply, assigned };
}

const field = (need = 'chat') => screen.getByRole<HTMLSelectElement>('combobox', { name: `Endpoint for ${need}` });
const options = (need = 'chat') => [...field(need).options].map(({ text }) => text);

test('an app without needs has no such section', async () => {
  await open(withNeeds(), []);
  expect(screen.queryByRole('heading', { name: 'Models it uses' })).toBeNull();
});

test('the fitting endpoints are offered with their states, and the chosen one is assigned', async () => {
  const endpoints = [
    served('zoo', 'text-generation', 'scaledToZero'),
    served('eye', 'image-text-to-text'),
    served('vectors', 'feature-extraction'),
    served('own', 'custom', 'paused'),
  ];
  const { apply, assigned } = await open(withNeeds(chat), endpoints);
  expect(options()).toEqual([
    'Choose an endpoint',
    'local/eye: running, anna/big-model',
    'local/own: paused, anna/big-model, custom task',
    'local/zoo: asleep, anna/big-model',
  ]);
  await userEvent.selectOptions(field(), 'local/own');
  const ref = { namespace: 'local', name: 'own' };
  expect(assigned()).toEqual([{ params: { appName: 'chatty', need: 'chat' }, body: { endpoint: ref } }]);
  apply([{ ...chat, endpoint: ref }]);
  expect(field()).toHaveValue('local/own');
  const row = within(screen.getByRole('listitem'));
  expect(row.getByText('paused')).toBeVisible();
  expect(row.getByText(/It is paused\./)).toBeVisible();
  expect(row.getByText(/Its task is “custom”/)).toBeVisible();
  await userEvent.selectOptions(field(), '');
  expect(assigned().at(-1)).toEqual({ params: { appName: 'chatty', need: 'chat' }, body: { endpoint: null } });
});

test('a choice stays chosen until the event arrives, and goes back when it is refused', async () => {
  let refuse: (error: Error) => void = () => {};
  const answer = () => new Promise((_, reject) => (refuse = reject));
  await open(withNeeds(chat), [served('zoo', 'text-generation')], { assignEndpoint: answer });
  await userEvent.selectOptions(field(), 'local/zoo');
  expect(field()).toHaveValue('local/zoo');
  await act(async () => refuse(new DaemonError(404, 'There is no endpoint "local/zoo" for this token.')));
  expect(field()).toHaveValue('');
  expect(screen.getByRole('alert')).toHaveTextContent('There is no endpoint "local/zoo" for this token.');
});

test('where none fits, the models for the task are one press away, and a file of one’s own where it can serve', async () => {
  const hear: AssignedNeed = { ...chat, name: 'hear', task: 'automatic-speech-recognition', optional: true };
  await open(withNeeds(chat, hear), [served('vectors', 'feature-extraction')]);
  expect(screen.getByText('There is no endpoint with a chat model yet.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Deploy a model for this: chat' })).toHaveAttribute(
    'href',
    '#/models?task=text-generation',
  );
  expect(screen.getByRole('link', { name: 'Use your own GGUF file for chat' })).toHaveAttribute(
    'href',
    '#/models?tab=machine',
  );
  expect(screen.getByText('There is no endpoint with a speech recognition model yet.')).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Use your own GGUF file for hear' })).toBeNull();
  expect(options('hear')).toEqual(['None']);
  expect(screen.getByText(/a speech recognition model, optional/)).toBeVisible();
});

test('a deleted endpoint is shown as deleted, and another can be chosen', async () => {
  const gone = { namespace: 'local', name: 'gone' };
  await open(withNeeds({ ...chat, endpoint: gone }), [served('zoo', 'text-generation')]);
  expect(screen.getByText('local/gone was deleted: choose another endpoint.')).toBeVisible();
  expect(field()).toHaveValue('local/gone');
  expect(options()).toEqual(['Choose an endpoint', 'local/gone: deleted', 'local/zoo: running, anna/big-model']);
});

test('an assigned endpoint of this machine that is paused or failed is resumed in place', async () => {
  const ref = { namespace: 'local', name: 'zoo' };
  let endpoints = [served('zoo', 'text-generation', 'paused')];
  const { calls, store } = await open(withNeeds({ ...chat, endpoint: ref }), [], {
    listOwnEndpoints: () => endpointListing(endpoints),
    resumeEndpoint: () => {
      throw new DaemonError(507, 'The disk is full.');
    },
  });
  await userEvent.click(screen.getByRole('button', { name: 'Resume zoo' }));
  expect(calls.at(-1)).toEqual({ name: 'resumeEndpoint', input: { params: ref } });
  expect(screen.getByRole('alert')).toHaveTextContent('The disk is full.');
  const change = (next: OwnEndpoint) => {
    endpoints = [next];
    const revision = (store.getState().endpointsStatus?.revision ?? 0) + 1;
    act(() => store.getState().apply({ type: 'endpoints.changed', endpoints: { total: 1, revision, states: {} } }));
  };
  change(served('zoo', 'text-generation', 'scaledToZero'));
  await vi.waitFor(() => expect(screen.queryByRole('button', { name: 'Resume zoo' })).toBeNull());
  const paused = served('zoo', 'text-generation', 'paused');
  const provider = { vendor: 'cloud', region: 'east' };
  change({ ...paused, endpoint: { ...paused.endpoint, provider } });
  await screen.findByText('paused');
  expect(screen.queryByRole('button', { name: 'Resume zoo' })).toBeNull();
});

test('an endpoint that serves another task by now is still shown', async () => {
  const ref = { namespace: 'local', name: 'vectors' };
  await open(withNeeds({ ...chat, endpoint: ref }), [served('vectors', 'feature-extraction')]);
  expect(options().at(-1)).toBe('local/vectors: running, anna/big-model, serves feature-extraction');
});

test('a deleted endpoint is noticed by the event of the endpoints', async () => {
  let endpoints = [served('zoo', 'text-generation')];
  const ref = { namespace: 'local', name: 'zoo' };
  const { store } = await open(withNeeds({ ...chat, endpoint: ref }), endpoints, {
    listOwnEndpoints: () => endpointListing(endpoints),
  });
  expect(screen.queryByText(/was deleted/)).toBeNull();
  endpoints = [];
  act(() => store.getState().apply({ type: 'endpoints.changed', endpoints: { total: 0, revision: 7, states: {} } }));
  expect(await screen.findByText('local/zoo was deleted: choose another endpoint.')).toBeVisible();
});

test('all pages of the endpoints are asked for', async () => {
  const pages = [[served('a', 'text-generation')], [served('b', 'text-generation')]];
  await open(withNeeds(chat), [], {
    listOwnEndpoints: ({ query }: { query: { page: number } }) =>
      endpointListing(pages[query.page - 1] ?? [], { page: query.page, pages: 2 }),
  });
  expect(options()).toHaveLength(3);
});

test('a browser that is not signed in is asked to sign in', async () => {
  await open(withNeeds(chat), [], { getSession: () => session({ signedIn: false }) });
  expect(screen.getByRole('heading', { name: 'Sign in to choose' })).toBeVisible();
  expect(field()).toBeDisabled();
});

test('a page that is opened for a need focuses its field after the sign-in', async () => {
  let signedIn = false;
  const { store } = await open(withNeeds(chat), [], { getSession: () => session({ signedIn }) }, 'need=chat');
  expect(field()).not.toHaveFocus();
  signedIn = true;
  await act(() => store.getState().loadSession());
  expect(field()).toHaveFocus();
});

test('a running app is to be restarted', async () => {
  const app = withNeeds(chat);
  const dashboard = testDashboard(
    { getSession: () => session() },
    { installedApps: [app], slot: slotHeldBy('chatty') },
  );
  renderDashboard(dashboard, <AppPage name="chatty" tab="about" />);
  await act(async () => {});
  expect(screen.getByText('Restart the app to apply a change.')).toBeVisible();
});

test('a page that is opened for a need focuses its field, each time', async () => {
  const other: AssignedNeed = { ...chat, name: 'other' };
  window.location.hash = '#/apps/chatty?tab=about&need=other';
  await open(withNeeds(chat, other), [], {}, 'need=other');
  await vi.waitFor(() => expect(field('other')).toHaveFocus());
  await vi.waitFor(() => expect(window.location.hash).toBe('#/apps/chatty?tab=about'));
});

test('a start without an endpoint is refused with a button that leads to the field', async () => {
  const message = '"chatty" needs a model for "chat" (text-generation). Choose one on the app\'s page.';
  const unmet = { appName: 'chatty', need: 'chat', endpoint: null };
  const refuse = () => {
    throw new DaemonError(409, message, [], undefined, { code: 'need-unassigned', unmet });
  };
  const { store } = await open(withNeeds(chat), [served('zoo', 'text-generation')], { startApp: refuse });
  await userEvent.click(screen.getByRole('button', { name: 'Start Chatty' }));
  expect(screen.getByText('"chatty" needs a model for "chat" (text-generation).')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Choose a model' })).toHaveAttribute(
    'href',
    '#/apps/chatty?tab=about&need=chat',
  );
  await userEvent.selectOptions(field(), 'local/zoo');
  expect(store.getState().commands['start chatty']?.refusal).toBeNull();
});

test.each([
  ['endpoint-missing', null],
  ['endpoint-unsuitable', null],
  ['endpoint-paused', 'See local/zoo'],
  ['endpoint-failed', 'See local/zoo'],
])('%s leads to another endpoint, and to the one that can be made ready', async (code, see) => {
  const unmet = { appName: 'chatty', need: 'chat', endpoint: { namespace: 'local', name: 'zoo' } };
  const refuse = () => {
    throw new DaemonError(409, 'It cannot.', [], undefined, { code, unmet });
  };
  await open(withNeeds(chat), [], { startApp: refuse });
  // The refusal is about this app, whatever runs.
  await userEvent.click(screen.getByRole('button', { name: 'Start Chatty' }));
  const alert = within(screen.getByRole('alert'));
  expect(alert.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    ...(see === null ? [] : [see]),
    'Choose another endpoint',
  ]);
});

test('a price is confirmed before an endpoint is woken, also when another app is to be replaced', async () => {
  const app = withNeeds(chat);
  const paid =
    'The start of "chatty" would wake lab/big, which costs $0.80 an hour. As long as the app runs, it may wake lab/big again. Confirm this to start it.';
  const replies: (() => never)[] = [
    () => {
      const unmet = { appName: 'chatty', need: 'chat', endpoint: { namespace: 'lab', name: 'big' } };
      throw new DaemonError(409, paid, [], undefined, { code: 'endpoint-paid', unmet });
    },
    () => {
      throw new DaemonError(409, 'An app is already running: "dance".');
    },
  ];
  const dashboard = testDashboard(
    { getSession: () => session(), startApp: () => (replies.shift() ?? (() => ({})))() },
    { installedApps: [app, installedApp('dance', 'Dance')], slot: slotHeldBy('dance') },
  );
  renderDashboard(dashboard, <AppPage name="chatty" tab={null} />);
  await act(async () => {});
  await userEvent.click(screen.getByRole('button', { name: 'Start Chatty' }));
  expect(screen.getByRole('alert')).toHaveTextContent(paid);
  expect(screen.getByRole('button', { name: 'Wake and start' })).toHaveFocus();
  await userEvent.click(screen.getByRole('button', { name: 'Wake and start' }));
  await userEvent.click(screen.getByRole('button', { name: 'Replace Dance' }));
  expect(dashboard.calls.filter(({ name }) => name === 'startApp').map(({ input }) => input)).toEqual([
    { params: { appName: 'chatty' } },
    { params: { appName: 'chatty' }, query: { wakePaid: true } },
    { params: { appName: 'chatty' }, query: { replace: true, wakePaid: true } },
  ]);
});

test('a restart that wakes a paid endpoint is confirmed as a restart', async () => {
  const app = withNeeds(chat);
  const unmet = { appName: 'chatty', need: 'chat', endpoint: { namespace: 'lab', name: 'big' } };
  const restarts: unknown[] = [];
  const dashboard = testDashboard(
    {
      getSession: () => session(),
      restartCurrentApp: (input: unknown) => {
        restarts.push(input);
        if (restarts.length === 1)
          throw new DaemonError(409, 'It costs.', [], undefined, { code: 'endpoint-paid', unmet });
        return {};
      },
    },
    { installedApps: [app], slot: slotHeldBy('chatty') },
  );
  renderDashboard(dashboard, <AppPage name="chatty" tab={null} />);
  await act(async () => {});
  await userEvent.click(screen.getByRole('button', { name: 'Restart Chatty' }));
  await userEvent.click(screen.getByRole('button', { name: 'Wake and start' }));
  expect(restarts).toEqual([{}, { query: { wakePaid: true } }]);
});

test('a sample names the models that it needs before it is installed', () => {
  const sample = { ...sampleApp('chatty', 'Chatty'), needs: [chat] };
  renderDashboard(testDashboard({}, { sampleApps: [sample] }), <SampleCard sample={sample} />);
  expect(screen.getByText('Needs a chat model · Comes with Robot Desktop, installs without a network')).toBeVisible();
});
