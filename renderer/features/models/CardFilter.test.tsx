import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { DaemonSnapshot } from '../../../daemon/contract/daemon.ts';
import { useRoute } from '../../navigation/route.ts';
import { testDashboard } from '../../testing/fake-daemon.ts';
import { following } from '../../testing/follow-address.ts';
import { catalogSource, graphicsCards, modelPage, modelSummary } from '../../testing/model-fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { ModelsPage } from './ModelsPage.tsx';

const { fit } = modelSummary('anna/big');
const models = [
  modelSummary('anna/whole', { fit: { ...fit, place: 'card', layers: { onCard: 25, all: 25 } } }),
  modelSummary('anna/part', { fit: { ...fit, place: 'card-partly', layers: { onCard: 10, all: 25 } } }),
  modelSummary('anna/none', { fit: { ...fit, place: 'processor' } }),
];

function Page() {
  const { modelId, tab, query } = useRoute();
  return <ModelsPage modelId={modelId} tab={tab} query={query} />;
}

async function renderPage(hash: string, listGraphicsCards: () => unknown, first: Partial<DaemonSnapshot> = {}) {
  window.location.hash = hash;
  const dashboard = testDashboard({ listModels: () => modelPage(models), listGraphicsCards }, first);
  renderDashboard(dashboard, <Page />);
  await act(async () => {});
  const lists = () => dashboard.calls.flatMap(({ name, input }) => (name === 'listModels' ? [input] : []));
  return { ...dashboard, lists };
}
const filter = () => screen.queryByRole('switch', { name: 'Fits the graphics card' });

test('the badge of a model says whether it fits the card, in part, or the processor', async () => {
  await renderPage('#/models', () => graphicsCards());
  const badgeOf = (id: string) => within(screen.getByRole('article', { name: id }));
  expect(badgeOf('anna/whole').getByText('fits the card')).toBeVisible();
  expect(badgeOf('anna/part').getByText('partly on the card')).toBeVisible();
  expect(badgeOf('anna/none').getByText('fits the processor')).toBeVisible();
});

test('where a card is, the models that fit it can be asked for; the address has the filter, and a chip removes it', async () => {
  const { lists } = await renderPage('#/models?search=big&page=2', () => graphicsCards());
  expect(filter()).not.toBeChecked();
  expect(filter()).toHaveAccessibleDescription('The whole model fits the free memory of the card.');
  filter()?.focus();
  await following(() => userEvent.keyboard(' '));
  expect(window.location.hash).toBe('#/models?search=big&fitsCard=true');
  expect(lists().at(-1)).toMatchObject({ query: { search: 'big', fits: true, fitsCard: true, page: 1 } });
  expect(filter()).toBeChecked();
  expect(filter()).toHaveFocus();
  await following(() => userEvent.click(screen.getByRole('link', { name: 'Remove filter Fits the graphics card' })));
  expect(window.location.hash).toBe('#/models?search=big');
  expect(filter()).not.toBeChecked();
});

test('it is counted among the filters, and cleared with them', async () => {
  await renderPage('#/models?task=translation&fitsCard=true', () => graphicsCards());
  expect(screen.getByRole('button', { name: 'Filters (2)', hidden: true })).toBeInTheDocument();
  await following(() => userEvent.click(screen.getByRole('link', { name: 'Clear all' })));
  expect(window.location.hash).toBe('#/models');
});

const problem = { kind: 'no-driver', message: 'No driver.', action: 'Install it.' } as const;
test.each<[string, () => unknown]>([
  ['there is no card', () => graphicsCards({ cards: [] })],
  ['the cards are switched off', () => graphicsCards({ isOn: false })],
  ['the card cannot be used', () => graphicsCards({ problem })],
  ['the daemon has not answered yet', () => new Promise(() => {})],
  ['the look has failed', () => Promise.reject(new DaemonError(500, 'The runner is gone.'))],
])('the filter is not offered where %s; one of the address can be removed', async (_, listGraphicsCards) => {
  await renderPage('#/models?fitsCard=true', listGraphicsCards);
  expect(filter()).toBeNull();
  expect(screen.getByRole('link', { name: 'Remove filter Fits the graphics card' })).toBeVisible();
});

test('with a remote catalog the cards of this machine are not asked for', async () => {
  const source = catalogSource({ kind: 'remote', url: 'https://catalog.test/api/v1' });
  const { calls } = await renderPage('#/models', () => graphicsCards(), { catalogSource: source });
  expect(filter()).toBeNull();
  expect(calls.map(({ name }) => name)).not.toContain('listGraphicsCards');
});
