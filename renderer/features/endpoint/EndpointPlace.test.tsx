import { act, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { EndpointDetail, EndpointState } from '../../../daemon/contract/endpoints/endpoint.ts';
import type { EndpointReport } from '../../../daemon/contract/endpoints/endpoint-report.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { endpoint, ownEndpoint, replicaReport, session } from '../../testing/model-fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { EndpointPage } from './EndpointPage.tsx';

const at = '2026-11-21T11:00:00.000Z';
const cardUse = { card: 'Example 4000', layers: 25, totalLayers: 25, memoryBytes: 1.2e9 };
const notOnCard = {
  kind: 'no-memory',
  message: 'The graphics card has too little free memory for the model.',
  action: 'Let other models on it sleep.',
} as const;

async function renderPage(state: EndpointState, report: Partial<EndpointReport>, change: Partial<EndpointDetail> = {}) {
  const base = endpoint('ours');
  const compute = { ...base.compute, accelerator: 'gpu' } as const;
  const status = { ...base.status, state, message: `It is ${state}.` };
  const detail: EndpointDetail = { ...ownEndpoint('ours', { status, compute }, report), life: [], ...change };
  renderDashboard(
    testDashboard({ getSession: () => session(), getOwnEndpoint: () => detail }),
    <EndpointPage id="local/ours" tab={null} />,
  );
  await act(async () => {});
}
const summary = () => within(screen.getByRole('region', { name: 'ours' }));
const replicas = () => within(screen.getByRole('region', { name: 'Replicas' }));
const note = /on the processor/;

test('an endpoint on the graphics card says how many layers are there, how much memory they hold, and on which card', async () => {
  await renderPage('running', { replicas: [replicaReport({ cardUse })] });
  const fact = replicas().getByText('Runs').nextElementSibling;
  expect(fact).toHaveTextContent('On the graphics card: 25 of 25 layers, 1.2 GBExample 4000');
  expect(summary().queryByText(note)).toBeNull();
});

test('an endpoint whose program does not tell where it computes claims nothing', async () => {
  await renderPage('running', { replicas: [replicaReport()] });
  expect(replicas().queryByText('Runs')).toBeNull();
  expect(summary().queryByText(note)).toBeNull();
});

test('one that runs on the processor instead says what happened and what to do, and leads to the cards', async () => {
  await renderPage('running', { replicas: [replicaReport()], notOnCard });
  expect(summary().getByText('It runs on the processor, not on the graphics card.')).toBeVisible();
  const text = `${notOnCard.message} ${notOnCard.action} It tries the card again at its next start.`;
  expect(summary().getByText(text)).toBeVisible();
  expect(summary().getByRole('link', { name: 'This machine' })).toHaveAttribute('href', '#/models?tab=machine');
  expect(replicas().getByText('Runs').nextElementSibling).toHaveTextContent('On the processor');
});

test('one that sleeps says where it ran, one that failed only why it failed', async () => {
  await renderPage('scaledToZero', { notOnCard });
  expect(summary().getByText('It ran on the processor when it started last, not on the graphics card.')).toBeVisible();
  await renderPage('failed', { notOnCard });
  expect(screen.getAllByText(note)).toHaveLength(1);
});

test('a move to the processor is among its events', async () => {
  const cause = `It runs on the processor. ${notOnCard.message}`;
  await renderPage('running', { notOnCard }, { life: [{ at, kind: 'placed', cause }] });
  const [event] = within(screen.getByRole('region', { name: 'Events' })).getAllByRole('listitem');
  expect(event).toHaveTextContent(`moved${cause}`);
});

test('the preparation of the graphics card is the last step of a start', async () => {
  const titles = ['Check the model file', 'Start the server', 'Load the model', 'Prepare the graphics card'];
  const steps = titles.map((title, index) => ({
    ...{ name: title, title },
    state: index < 3 ? ('done' as const) : ('running' as const),
  }));
  await renderPage('initializing', { progress: { steps, transfer: null, detail: null } });
  const list = within(screen.getByRole('list', { name: 'Steps of the start' }));
  expect(list.getAllByRole('listitem').at(-1)).toHaveTextContent('Prepare the graphics card, running');
  expect(list.getAllByRole('listitem').at(-1)).toHaveAttribute('aria-current', 'step');
});

test.each(['no-card-memory', 'graphics-card'] as const)(
  'the failure %s leads to the graphics cards',
  async (reason) => {
    const { message, action } = notOnCard;
    await renderPage('failed', { failure: { reason, message, action, evidence: [] } });
    expect(summary().getByText(message)).toBeVisible();
    expect(summary().getByText(action)).toBeVisible();
    expect(summary().getByRole('link', { name: 'Graphics cards' })).toHaveAttribute('href', '#/models?tab=machine');
  },
);
