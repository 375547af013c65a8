import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import { NO_CHAT_TEMPLATE } from '../../../daemon/contract/endpoints/chat-template.ts';
import type { EndpointDetail, EndpointState } from '../../../daemon/contract/endpoints/endpoint.ts';
import { type Answers, testDashboard } from '../../testing/fake-daemon.ts';
import { installedApp, moment } from '../../testing/fixtures.ts';
import { endpoint, ownEndpoint, replicaReport, session } from '../../testing/model-fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { EndpointPage } from './EndpointPage.tsx';

afterEach(() => void vi.useRealTimers());

const at = '2026-11-21T11:00:00.000Z';

function detail(state: EndpointState, change: Partial<EndpointDetail> = {}): EndpointDetail {
  const status = { ...endpoint('ours').status, state, message: `It is ${state}.` };
  return { ...ownEndpoint('ours', { status }), life: [{ at, kind: 'created', cause: 'anna created it.' }], ...change };
}

const history = {
  everySeconds: 30,
  samples: Array.from({ length: 120 }, (_, index) => ({
    at: new Date(Date.parse(at) + index * 30_000).toISOString(),
    ...{ requests: index === 119 ? 4 : 0, failed: index === 119 ? 1 : 0, memoryBytes: index > 100 ? 5e6 : null },
    latencyMs: index === 119 ? { p50: 250, p99: 900 } : null,
  })),
};

async function renderPage(answers: Answers = {}, tab: string | null = null, first = {}) {
  const given = {
    getSession: () => session(),
    getOwnEndpoint: () => detail('running'),
    getEndpointHistory: () => history,
    ...answers,
  };
  const dashboard = testDashboard(given, first);
  renderDashboard(dashboard, <EndpointPage id="local/ours" tab={tab} />);
  await act(async () => {});
  return dashboard;
}

test('the page shows the state, the address, the use as figures, and the events of its life', async () => {
  await renderPage();
  expect(screen.getByRole('heading', { level: 1, name: 'ours' })).toBeVisible();
  expect(within(screen.getByRole('region', { name: 'ours' })).getByText('running')).toBeVisible();
  expect(screen.getByText('http://127.0.0.1:8000/endpoints/local/ours')).toBeVisible();
  expect(screen.getByText('4 requests in the last hour, 1 failed, at most 8 a minute.')).toBeInTheDocument();
  expect(
    screen.getByText('Median time to the whole answer in half a minute: 0.3 s now, at most 0.3 s.'),
  ).toBeInTheDocument();
  expect(within(screen.getByRole('region', { name: 'Events' })).getByRole('listitem')).toHaveTextContent(
    /^createdanna created it\./,
  );
});

const replicas = () => within(screen.getByRole('region', { name: 'Replicas' }));

test('each replica is listed with its requests, its memory and its processor time; the page says why there are so many', async () => {
  const report = {
    ...detail('running').report,
    runtime: 'Podman 4.3.1',
    scaling: '3 replicas: 4.2 requests at a time, at most 1.5 for each replica.',
    replicas: [
      replicaReport({ requests: 3, memoryBytes: 24_000_000, cpuPercent: 87.4 }),
      replicaReport({
        id: 'r8',
        pid: null,
        container: '3fa2c1b09d8e77',
        requests: 1,
        memoryBytes: 1.2e9,
        cpuPercent: 190,
      }),
      replicaReport({ id: 'r9', pid: 9, state: 'draining' }),
      replicaReport({ id: 'r10', pid: 10, state: 'starting', slots: 4 }),
    ],
  };
  const traffic = { ...detail('running').traffic, requests: 4_000, cacheHits: 1_200 };
  const memory = { estimatedBytes: 2e9, usedBytes: 1.2e9 };
  await renderPage({ getOwnEndpoint: () => detail('running', { report, traffic, memory }) });
  expect(
    replicas()
      .getAllByRole('listitem')
      .map((item) => [...item.children].map(({ textContent }) => textContent)),
  ).toEqual([
    ['ready', 'Process 7', '3 requests', '24 MB', '87 % of a processor'],
    ['ready', 'Container 3fa2c1b09d8e', '1 request', '1.2 GB', '1.9 processors'],
    ['finishing', 'Process 9', '0 requests', '', ''],
    ['starting', 'Process 10', '', '', ''],
  ]);
  expect(replicas().getByText(report.scaling)).toBeVisible();
  expect(replicas().getByText('1.2 GB at most so far, an estimated 2.0 GB')).toBeVisible();
  expect(replicas().getByText('1,200 of 4,000 requests')).toBeVisible();
  expect(replicas().getByText('4 answers from each replica; further requests wait')).toBeVisible();
});

test.each([
  [0, 1, '0 to 1 replica'],
  [1, 1, 'always 1 replica'],
  [1, 3, '1 to 3 replicas'],
])('from %i to %i replicas are %s', async (minReplica, maxReplica, text) => {
  const page = detail('running');
  const { compute } = page.endpoint;
  const scaling = { ...compute.scaling, minReplica, maxReplica, scaleToZeroTimeout: null };
  await renderPage({
    getOwnEndpoint: () => ({ ...page, endpoint: { ...page.endpoint, compute: { ...compute, scaling } } }),
  });
  expect(replicas().getByText(text)).toBeVisible();
});

test.each([
  ['scaledToZero', 'None while it is asleep: the next request starts one.'],
  ['paused', 'None while it is paused.'],
  ['failed', 'None: it failed.'],
  ['initializing', 'None yet.'],
] as const)('an endpoint in the state %s says why it has no replica', async (state, text) => {
  await renderPage({ getOwnEndpoint: () => detail(state) });
  expect(replicas().getByText(text)).toBeVisible();
});

const lastHour = () => within(screen.getByRole('region', { name: 'The last hour' }));
const quiet = history.samples.map((sample) => ({ ...sample, requests: 0, failed: 0, latencyMs: null }));

test('an hour without requests has the chart of the memory alone, in which a single value is seen', async () => {
  const samples = quiet.map((sample, index) => ({ ...sample, memoryBytes: index === 119 ? 5e6 : null }));
  await renderPage({ getEndpointHistory: () => ({ ...history, samples }) });
  expect(lastHour().getByText('No request came in the last hour.')).toBeVisible();
  const charts = lastHour().getAllByRole('figure');
  expect(charts.map(({ textContent }) => textContent)).toEqual(['Memoryup to 5 MBin the last hour.1 h agonow']);
  expect(charts[0]?.querySelector('.chart-line')).toHaveAttribute('d', 'M234 2h6');
});

test('an hour in which nothing was measured says so in the place of its charts', async () => {
  const samples = quiet.map((sample) => ({ ...sample, memoryBytes: null }));
  await renderPage({ getEndpointHistory: () => ({ ...history, samples }) });
  expect(lastHour().getByText('Nothing was measured in the last hour.')).toBeVisible();
  expect(lastHour().queryByRole('figure')).toBeNull();
});

test('the token in a request to copy is the name of a variable, in each language', async () => {
  await renderPage();
  for (const language of ['curl', 'Python', 'JavaScript']) {
    await userEvent.click(screen.getByRole('radio', { name: language }));
    const text = screen.getByRole('region', { name: `The request as ${language}` });
    expect(text).toHaveTextContent('ROBOT_TOKEN');
    expect(text).toHaveTextContent('/v1/chat/completions');
  }
});

test('a token for the endpoint alone is made on its page, and shown once', async () => {
  const token = { id: '1', name: 'ours', scopes: [], namespaces: null, createdAt: moment, lastUsedAt: null };
  const { calls } = await renderPage({ createToken: () => ({ text: 'rd_secret', token }) });
  expect(screen.getByLabelText('Name of the token')).toHaveValue('ours');
  await userEvent.click(screen.getByRole('button', { name: 'Make a token' }));
  expect(await screen.findByText('rd_secret')).toBeVisible();
  const body = { name: 'ours', scopes: ['endpoint:local/ours'] };
  expect(calls).toContainEqual({ name: 'createToken', input: { body } });
});

test.each([
  [{ isOwnUser: false }, 'To make one here, sign in with a code under Settings.'],
  [{ signedIn: false, isOwnUser: false }, 'To make one here, sign this browser in under Settings.'],
])('a browser that may not make a token (%j) is told how it may', async (change, text) => {
  await renderPage({ getSession: () => session(change) });
  expect(screen.getByText(/^The requests below read a token/)).toHaveTextContent(
    `The requests below read a token from ROBOT_TOKEN. ${text}`,
  );
  expect(screen.queryByRole('button', { name: 'Make a token' })).toBeNull();
});

test('an issue of the daemon is shown at its field, one of no field below the form', async () => {
  const issue = { path: ['compute', 'scaling', 'maxReplica'], message: 'At most 4 here.' };
  const { calls } = await renderPage(
    { updateEndpoint: () => Promise.reject(new DaemonError(400, 'It is invalid.', [issue])) },
    'settings',
  );
  const most = screen.getByRole('textbox', { name: 'At most' });
  await userEvent.clear(most);
  await userEvent.type(most, '16');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('At most 4 here.')).toBeVisible();
  expect(most).toHaveAccessibleDescription(/At most 4 here/);
  expect(screen.queryByText('It is invalid.')).toBeNull();
  expect(calls.at(-1)?.input).toMatchObject({ body: { compute: { scaling: { maxReplica: 16 } } } });
});

test('an emptied field names its problem once it is saved', async () => {
  await renderPage({}, 'settings');
  const most = screen.getByRole('textbox', { name: 'At most' });
  await userEvent.clear(most);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(most).toHaveFocus();
  expect(most).toHaveAccessibleDescription(/A whole number, 0 or more\./);
});

test('settings that are saved leave the focus in their field', async () => {
  let page = detail('running');
  const updateEndpoint = () => {
    const { compute } = page.endpoint;
    const scaling = { ...compute.scaling, maxReplica: 3 };
    page = { ...page, endpoint: { ...page.endpoint, compute: { ...compute, scaling } } };
    return page.endpoint;
  };
  const { store } = await renderPage({ getOwnEndpoint: () => page, updateEndpoint }, 'settings');
  const most = screen.getByRole('textbox', { name: 'At most' });
  await userEvent.clear(most);
  await userEvent.type(most, '03{Enter}');
  act(() => store.getState().apply({ type: 'endpoints.changed', endpoints: { total: 1, revision: 9, states: {} } }));
  await vi.waitFor(() => expect(most).toHaveValue('3'));
  expect(most).toHaveFocus();
});

test('what starts more replicas and where requests go is chosen in the form, with an issue of the threshold at its field', async () => {
  const { calls } = await renderPage({ updateEndpoint: () => endpoint('ours') }, 'settings');
  expect(screen.getByText('With one replica at most, the next two choices have no effect yet.')).toBeVisible();
  const most = screen.getByRole('textbox', { name: 'At most' });
  await userEvent.clear(most);
  await userEvent.type(most, '3');
  expect(screen.queryByText(/have no effect yet/)).toBeNull();
  await userEvent.click(screen.getByRole('radio', { name: 'The use of the hardware' }));
  const threshold = screen.getByRole('textbox', { name: 'Percent in use' });
  await userEvent.type(threshold, '120');
  await userEvent.click(screen.getByRole('radio', { name: 'The same one for each caller' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(threshold).toHaveFocus();
  expect(threshold).toHaveAccessibleDescription(/A number from 0 to 100, or nothing\./);
  await userEvent.clear(threshold);
  await userEvent.type(threshold, '65.5');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(calls.findLast(({ name }) => name === 'updateEndpoint')?.input).toMatchObject({
    body: {
      compute: {
        scaling: { minReplica: 0, maxReplica: 3, scaleToZeroTimeout: 15, measure: { hardwareUsage: 65.5 } },
      },
      experimentalFeatures: { loadBalancer: 'sticky', mcpLb: null },
    },
  });
});

test('the cache is switched at once, and says how many requests it answered', async () => {
  const traffic = { ...detail('running').traffic, requests: 40, cacheHits: 12 };
  const { calls } = await renderPage(
    { getOwnEndpoint: () => detail('running', { traffic }), updateEndpoint: () => endpoint('ours') },
    'settings',
  );
  expect(screen.getByText('Answered 12 of 40 requests since the daemon started.')).toBeVisible();
  await userEvent.click(screen.getByRole('switch', { name: 'Keep answers' }));
  expect(calls.findLast(({ name }) => name === 'updateEndpoint')?.input).toMatchObject({
    body: { cacheHttpResponses: true },
  });
});

test('a switch of its notifications applies at once, and leaves the other settings as they are', async () => {
  const { calls } = await renderPage({ updateEndpoint: () => endpoint('ours') }, 'settings');
  await userEvent.click(screen.getByRole('switch', { name: 'Notifications' }));
  expect(calls.findLast(({ name }) => name === 'updateEndpoint')?.input).toEqual({
    params: { namespace: 'local', name: 'ours' },
    body: { notifications: { push: true, email: false } },
  });
});

test('a delete names the apps that lose the endpoint', async () => {
  const uses = (name: string) => ({ namespace: 'local', name });
  const need = { name: 'chat', task: 'text-generation', optional: false } as const;
  const apps = [
    installedApp('dance', 'dance', { needs: [{ ...need, endpoint: uses('ours') }] }),
    installedApp('wave', 'wave', { needs: [{ ...need, endpoint: uses('theirs') }] }),
  ];
  await renderPage({ deleteEndpoint: () => endpoint('ours') }, null, { installedApps: apps });
  await userEvent.click(screen.getByRole('button', { name: 'Delete ours' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete ours' }));
  expect(dialog.getByText(/^This app loses it/)).toHaveTextContent('This app loses it: dance.');
  await userEvent.type(dialog.getByRole('textbox', { name: 'Type ours to delete it' }), 'ours{Enter}');
  expect(window.location.hash).toBe('#/models?tab=endpoints');
});

test('an endpoint that is gone, or cannot be loaded, says so', async () => {
  await renderPage({ getOwnEndpoint: () => Promise.reject(new DaemonError(404, 'None.')) });
  expect(await screen.findByRole('heading', { name: 'There is no endpoint local/ours' })).toBeVisible();
});

test('changes of the endpoint are asked for at most a few times a second', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  const { calls, store } = await renderPage();
  for (let revision = 1; revision <= 30; revision++) {
    act(() => store.getState().apply({ type: 'endpoints.changed', endpoints: { total: 1, revision, states: {} } }));
  }
  const asked = () => calls.filter(({ name }) => name === 'getOwnEndpoint').length;
  expect(asked()).toBe(2); // for the page, and for the first change
  await act(() => vi.advanceTimersByTimeAsync(399));
  expect(asked()).toBe(2);
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(asked()).toBe(3);
  await act(() => vi.advanceTimersByTimeAsync(4_599));
  expect(asked()).toBe(3);
  await act(() => vi.advanceTimersByTimeAsync(1)); // the figures, every five seconds
  expect(asked()).toBe(4);
});

const withoutTemplate = () => {
  const page = detail('running');
  const report = { ...page.report, lacksChatTemplate: true };
  return { ...page, reasons: [...page.reasons, NO_CHAT_TEMPLATE], report };
};

test('a model without a chat template says so beside its state, with the place to choose one, and shows a completion', async () => {
  await renderPage({ getOwnEndpoint: withoutTemplate });
  const summary = within(screen.getByRole('region', { name: 'ours' }));
  expect(summary.getByText(NO_CHAT_TEMPLATE, { exact: false })).toBeVisible();
  expect(summary.getByText(/^Checked when it was created:/)).not.toHaveTextContent('chat template');
  expect(summary.getByRole('link', { name: 'Open its settings' })).toHaveAttribute(
    'href',
    '#/models/endpoints/local/ours?tab=settings',
  );
  expect(screen.getByRole('region', { name: 'The request as curl' })).toHaveTextContent('/v1/completions');
});

test('where there is no chat template, the playground has a text continued', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json({ choices: [{ text: ' there was' }] }));
  onTestFinished(() => fetched.mockRestore());
  await renderPage({ getOwnEndpoint: withoutTemplate }, 'try');
  const form = within(await screen.findByRole('form', { name: 'Continuation of a text' }));
  expect(screen.queryByRole('radio', { name: 'Chat' })).toBeNull();
  await userEvent.click(form.getByRole('button', { name: 'Continue' }));
  expect(await form.findByText('there was')).toBeVisible();
  const [url, request] = fetched.mock.calls.at(-1) ?? [];
  expect([url, JSON.parse(request?.body as string)]).toEqual([
    expect.stringMatching(/\/endpoints\/local\/ours\/v1\/completions$/),
    { model: 'anna/big-model', prompt: 'Once upon a time', max_tokens: 128 },
  ]);
});

test('the playground changes from the chat once the first start has found no chat template', async () => {
  let page = detail('running');
  const { store } = await renderPage({ getOwnEndpoint: () => page }, 'try');
  expect(await screen.findByRole('radio', { name: 'Chat' })).toBeChecked();
  page = withoutTemplate();
  act(() => store.getState().apply({ type: 'endpoints.changed', endpoints: { total: 1, revision: 9, states: {} } }));
  expect(await screen.findByRole('form', { name: 'Continuation of a text' })).toBeVisible();
});

test('a chat template is chosen by its name; a refusal is shown beside it', async () => {
  const updateEndpoint = () => Promise.reject(new DaemonError(400, 'It is chosen twice.'));
  const { calls } = await renderPage({ getOwnEndpoint: withoutTemplate, updateEndpoint }, 'settings');
  const form = within(screen.getByRole('form', { name: 'Chat template' }));
  const select = form.getByRole('combobox', { name: 'Template' });
  expect(select).toHaveDisplayValue('Automatic: the one in the model’s file');
  await userEvent.selectOptions(select, 'llama3');
  await userEvent.click(form.getByRole('button', { name: 'Save the template' }));
  expect(await form.findByText('It is chosen twice.')).toBeVisible();
  const image = { url: 'server', modelPath: 'big-model-q4.gguf', chatTemplate: 'llama3' };
  expect(calls.findLast(({ name }) => name === 'updateEndpoint')?.input).toEqual({
    params: { namespace: 'local', name: 'ours' },
    body: { model: { image: { llamacpp: image } } },
  });
});

test.each([
  ['embeddings', { llamacpp: { url: 'u', modelPath: 'm', mode: 'embeddings' } } as const],
  ['another engine', { vLLM: { url: 'u' } }],
])('no chat template is offered for %s', async (_, image) => {
  const page = detail('running');
  const endpointWith = { ...page.endpoint, model: { ...page.endpoint.model, image } };
  await renderPage({ getOwnEndpoint: () => ({ ...page, endpoint: endpointWith }) }, 'settings');
  expect(screen.queryByRole('form', { name: 'Chat template' })).toBeNull();
});
