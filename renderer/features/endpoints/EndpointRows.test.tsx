import { act, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { WorkStep } from '../../../daemon/contract/common/progress.ts';
import type { Endpoint, EndpointState, OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import type { EndpointProgress, EndpointReport } from '../../../daemon/contract/endpoints/endpoint-report.ts';
import { type Answers, testDashboard } from '../../testing/fake-daemon.ts';
import { endpoint, endpointListing, ownEndpoint, replicaReport, session } from '../../testing/model-fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { EndpointsPanel } from './EndpointsPanel.tsx';
import { trafficText } from './endpoint-text.ts';

afterEach(() => void vi.useRealTimers());

const one = (state: EndpointState, report: Partial<EndpointReport> = {}, change: Partial<Endpoint> = {}) =>
  ownEndpoint('ours', { status: { ...endpoint('ours').status, state, message: `It is ${state}.` }, ...change }, report);

const titles = ['Download the model', 'Check the model file', 'Start the server', 'Load the model'];
const steps = (running: number): WorkStep[] =>
  titles.map((title, index) => ({
    name: title,
    title,
    state: index < running ? 'done' : index === running ? 'running' : 'pending',
  }));
const transfer = { doneBytes: 12_400_000, totalBytes: 38_000_000, bytesPerSecond: 1_200_000, stalled: false };
const serving = {
  runtime: 'llama-server 0.7.0',
  replicas: [replicaReport({ id: 'r4711', pid: 4711, memoryBytes: 24_000_000 })],
};

async function renderOne(listed: () => OwnEndpoint, answers: Answers = {}, query = '') {
  const dashboard = testDashboard({
    getSession: () => session(),
    listOwnEndpoints: () => endpointListing([listed()]),
    ...answers,
  });
  renderDashboard(dashboard, <EndpointsPanel query={query} />);
  await act(async () => {});
  let revision = 0;
  const change = () => {
    revision += 1;
    const endpoints = { total: 1, revision, states: {} };
    act(() => dashboard.store.getState().apply({ type: 'endpoints.changed', endpoints }));
  };
  return { ...dashboard, change };
}
const stepList = () => within(screen.getByRole('list', { name: 'Steps of the start' }));

test('a start shows each step and the download, and follows the endpoint without a reload', async () => {
  let now = one('initializing', { progress: { steps: steps(0), transfer, detail: null } });
  const { change } = await renderOne(() => now);
  expect(
    stepList()
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual([
    'Download the model, running',
    'Check the model file, pending',
    'Start the server, pending',
    'Load the model, pending',
  ]);
  expect(screen.getByText('Downloading 12.4 of 38 MB, 1.2 MB/s, 25 s left')).toBeVisible();
  expect(stepList().getByRole('progressbar', { name: 'Download the model' })).toHaveAttribute('aria-valuenow', '32');

  now = one('initializing', {
    progress: { steps: steps(0), transfer: { ...transfer, bytesPerSecond: 0, stalled: true }, detail: null },
  });
  change();
  expect(await screen.findByText('Download stalled at 12.4 of 38 MB')).toBeVisible();

  now = one('initializing', { progress: { steps: steps(3), transfer: null, detail: null } });
  change();
  expect(await screen.findByText('It is initializing.')).toBeVisible();
  expect(stepList().getByText('Load the model').closest('li')).toHaveAttribute('aria-current', 'step');
  expect(screen.getByRole('button', { name: 'Pause ours' })).toBeEnabled();
  expect(screen.getByRole('button', { name: 'Delete ours' })).toBeEnabled();

  now = one('running', serving);
  change();
  expect(
    await screen.findByText('llama-server 0.7.0 · 24 MB of memory · Sleeps after 15 min without use'),
  ).toBeVisible();
  expect(screen.queryByRole('list', { name: 'Steps of the start' })).toBeNull();
});

test('a download of an image shows its bytes, or how many of its layers are here', async () => {
  const pull: WorkStep = { name: 'pull', title: 'Download the image', state: 'running' };
  const [, ...later] = steps(0);
  const pulling = (change: Partial<EndpointProgress>) =>
    one('initializing', { progress: { steps: [pull, ...later], transfer: null, detail: null, ...change } });
  let now = pulling({ transfer });
  const { change } = await renderOne(() => now);
  expect(screen.getByText('Downloading 12.4 of 38 MB, 1.2 MB/s, 25 s left')).toBeVisible();
  expect(stepList().getByRole('progressbar', { name: 'Download the image' })).toBeVisible();
  now = pulling({ detail: '3 of 7 layers' });
  change();
  expect(await screen.findByText('Download the image: 3 of 7 layers')).toBeVisible();
  expect(stepList().queryByRole('progressbar')).toBeNull();
  expect(screen.getByRole('button', { name: 'Pause ours' }), 'to cancel it').toBeEnabled();
});

test('an endpoint that a request woke is waking, another one is starting', async () => {
  let now = one('initializing', { progress: { steps: steps(3), transfer: null, detail: null } });
  const { change } = await renderOne(() => now);
  expect(screen.getByText('starting')).toBeVisible();
  now = one('initializing', { isWaking: true, progress: { steps: steps(3), transfer: null, detail: null } });
  change();
  expect(await screen.findByText('waking')).toBeVisible();
});

test('many changes load the list a few times only', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { calls, change } = await renderOne(() => one('running'));
  const loads = () => calls.filter(({ name }) => name === 'listOwnEndpoints').length;
  for (let i = 0; i < 30; i++) {
    change();
    await act(() => vi.advanceTimersByTimeAsync(10));
  }
  expect(loads()).toBe(2); // for the page, and for the first change
  await act(() => vi.advanceTimersByTimeAsync(100));
  expect(loads()).toBe(3); // the changes after the first one have not put it off
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(loads()).toBe(3);
});

const failure = { message: 'The file is cut off.', action: 'Download it again.', evidence: ['tensor 3 ends at 900'] };

test('a failure shows its cause, its action and its evidence, and links to the place of the action', async () => {
  await renderOne(() => one('failed', { failure: { reason: 'disk-full', ...failure } }));
  expect(screen.getByText('The file is cut off.')).toBeVisible();
  expect(screen.getByText('Download it again.')).toBeVisible();
  expect(screen.getByText('tensor 3 ends at 900')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Model files' })).toHaveAttribute('href', '#/models?tab=machine');
  expect(screen.queryByText('It is failed.')).toBeNull();
  expect(screen.getByRole('button', { name: 'Resume ours' })).toHaveAttribute('data-variant', 'default');
});

test.each([
  ['no-runtime', 'Programs that run models', '#/models?tab=machine'],
  ['container-engine', 'Programs that run models', '#/models?tab=machine'],
  ['hub-access', 'See the hub account', '#/settings'],
  ['no-memory', 'Choose another recipe', '#/models/anna/big-model'],
] as const)('a failure for %s links to "%s"', async (reason, label, href) => {
  await renderOne(() => one('failed', { failure: { reason, ...failure } }));
  expect(screen.getByRole('link', { name: label })).toHaveAttribute('href', href);
});

test.each(['crashed', 'image'] as const)(
  'after a failure for %s, Resume is the action that stands out',
  async (reason) => {
    await renderOne(() => one('failed', { failure: { reason, ...failure } }));
    expect(screen.getByRole('button', { name: 'Resume ours' })).toHaveAttribute('data-variant', 'filled');
  },
);

test.each([
  [{ requests: 0 }, 'none since the daemon started'],
  [{ requests: 1 }, '1 request'],
  [
    { requests: 12, failed: 1, latencyMs: { p50: 340, p99: 900 }, tokensPerSecond: 41.3 },
    '12 requests, 1 failed · half of them within 0.3 s · 41 tokens a second',
  ],
])('the use of an endpoint is shown beside its log: %o', (change, text) => {
  expect(trafficText({ ...ownEndpoint('ours').traffic, ...change })).toBe(text);
});

test('an endpoint of a file of this machine shows the path; one that is not from the catalog has no link', async () => {
  const { model, experimentalFeatures } = endpoint('ours');
  const image = { llamacpp: { url: 'x', modelPath: '/models/tiny.gguf' } };
  let now = one(
    'running',
    {},
    {
      model: { ...model, fromCatalog: false, image },
      experimentalFeatures: { ...experimentalFeatures, skipRepoDownload: true },
    },
  );
  const { change } = await renderOne(() => now);
  expect(screen.getByText('/models/tiny.gguf')).toBeVisible();
  now = one('running', {}, { model: { ...model, fromCatalog: false } });
  change();
  expect(await screen.findByText('anna/big-model')).toBeVisible();
  expect(screen.getAllByRole('link').map((link) => link.textContent)).toEqual(['ours']);
});

test('the state of the endpoint deployed just now is announced', async () => {
  let now = one('initializing');
  const { change } = await renderOne(() => now, {}, 'made=ours');
  expect(screen.getByText('ours: starting')).toHaveAttribute('role', 'status');
  now = one('running');
  change();
  expect(await screen.findByText('ours: running')).toHaveAttribute('role', 'status');
});
