import { act, fireEvent, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { DaemonSnapshot } from '../../../daemon/contract/daemon.ts';
import { useRoute } from '../../navigation/route.ts';
import { type Answers, type TestDashboard, testDashboard } from '../../testing/fake-daemon.ts';
import { following } from '../../testing/follow-address.ts';
import { catalogSource, modelPage, modelSummary, noFacets } from '../../testing/model-fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { ModelsPage } from './ModelsPage.tsx';

afterEach(() => void vi.useRealTimers());

const big = modelSummary('anna/big-model');
const odd = modelSummary('ben/odd-model', {
  license: 'mit',
  smallestBytes: null,
  parameterCount: null,
  fit: { ...big.fit, fits: false, offer: null, sentence: 'Needs 152 GB; the largest here is 20.4 GB.' },
});
const facets = {
  ...noFacets,
  task: [
    { value: 'text-generation', count: 40 },
    { value: 'translation', count: 1 },
  ],
  author: Array.from({ length: 30 }, (_, index) => ({ value: `author-${index + 1}`, count: 30 - index })),
};

function Page() {
  const { modelId, tab, query } = useRoute();
  return <ModelsPage modelId={modelId} tab={tab} query={query} />;
}

async function renderPage(hash = '#/models', answers: Answers = {}, snapshot: Partial<DaemonSnapshot> = {}) {
  window.location.hash = hash;
  const dashboard = testDashboard({ listModels: () => modelPage([big, odd], { facets }), ...answers }, snapshot);
  renderDashboard(dashboard, <Page />);
  await act(async () => {});
  return dashboard;
}
const listed = (calls: TestDashboard['calls']) =>
  calls.flatMap(({ name, input }) => (name === 'listModels' ? [input] : []));
const cardOf = (id: string) => within(screen.getByRole('article', { name: id }));
const facet = (name: string) => within(screen.getByRole('region', { name }));

test("a card shows the model's task, size, and whether it fits this machine", async () => {
  await renderPage();
  const card = cardOf('anna/big-model');
  expect(card.getByRole('link', { name: 'big-model' })).toHaveAttribute('href', '#/models/anna/big-model');
  expect(card.getByText(/^Text generation/)).toHaveTextContent('Text generationfits');
  expect(card.getByText('anna')).toBeVisible();
  expect(card.getByText('8.2B parameters · 5.0 GB')).toBeVisible();
  expect(card.getByText('apache-2.0').parentElement).toHaveTextContent('apache-2.0 · 1 recipe');
  expect(card.getByText('fits')).toBeVisible();
  expect(card.getByText('Fits this machine: 7.0 of 20.4 GB.')).toBeVisible();
  expect(cardOf('ben/odd-model').getByText('does not fit')).toBeVisible();
  expect(cardOf('ben/odd-model').getByText('size unknown')).toBeVisible();
});

test('a filter is part of the address, shows a count, and is removed by its chip or by Clear all', async () => {
  const { calls } = await renderPage();
  const task = facet('Task').getByRole('link', { name: /^Text generation/ });
  expect(task).toHaveAccessibleName('Text generation 40 models');
  await userEvent.click(task);
  expect(window.location.hash).toBe('#/models?task=text-generation');
  expect(calls.at(-1)?.input).toMatchObject({ query: { task: 'text-generation', fits: true, page: 1 } });
  expect(facet('Task').getByRole('link', { name: /^Text generation/ })).toHaveAttribute('aria-current', 'true');
  await following(() => userEvent.click(facet('Author').getByRole('link', { name: /^author-1 / })));
  expect(window.location.hash).toBe('#/models?task=text-generation&author=author-1');

  await following(() => userEvent.click(screen.getByRole('link', { name: 'Remove filter Task: Text generation' })));
  expect(window.location.hash).toBe('#/models?author=author-1');
  expect(screen.getByText('2 models')).toHaveFocus();
  expect(screen.queryByRole('link', { name: 'Clear all' }), 'one filter has its own button').toBeNull();
  await following(() => userEvent.click(facet('Task').getByRole('link', { name: /^Text generation/ })));
  await following(() => userEvent.click(screen.getByRole('link', { name: 'Clear all' })));
  expect(window.location.hash).toBe('#/models');
});

test('what fits this machine is listed, the best first; the rest behind one switch, which is remembered', async () => {
  localStorage.clear();
  const { calls } = await renderPage('#/models', { listModels: () => modelPage([big, odd], { facets, hidden: 91 }) });
  const visited = window.history.length;
  expect(listed(calls)).toMatchObject([{ query: { fits: true, sort: 'best' } }]);
  expect(screen.getByRole('radio', { name: 'Best here' })).toBeChecked();
  expect(screen.getByText(/^Quick models that leave memory free come first/)).toBeVisible();
  const all = screen.getByRole('switch', { name: 'Show all models' });
  expect(all).not.toBeChecked();
  expect(all).toHaveAccessibleDescription('91 more do not fit this machine.');
  all.focus();
  await following(() => userEvent.keyboard(' '));
  expect(all).toBeChecked();
  expect(all).toHaveFocus();
  expect(screen.queryByText(/do not fit this machine/)).toBeNull();
  expect(window.location.hash).toBe('#/models?fits=false');
  expect(window.history.length, 'Back leads to the page before').toBe(visited);
  expect(listed(calls).at(-1)).toMatchObject({ query: { fits: false } });
  await following(() => {
    window.location.hash = '#/models';
  });
  expect(listed(calls).at(-1), 'another visit').toMatchObject({ query: { fits: false } });
  await following(() => userEvent.click(screen.getByRole('switch', { name: 'Show all models' })));
  expect(window.location.hash).toBe('#/models?fits=true');
  expect(listed(calls).at(-1)).toMatchObject({ query: { fits: true } });
  localStorage.clear();
});

test('a filter without matches can be removed', async () => {
  await renderPage('#/models?license=gpl-3.0&search=xyz', {
    listModels: () => modelPage([], { facets, hidden: 3 }),
  });
  expect(screen.getByRole('heading', { name: 'No model matches "xyz"' })).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Clear all' }), 'the empty list has its own').toBeNull();
  expect(facet('Licence').getByRole('link', { name: 'gpl-3.0 0 models' })).toHaveAttribute(
    'href',
    '#/models?search=xyz',
  );
  expect(screen.getByRole('link', { name: 'Look among those that do not fit' })).toHaveAttribute(
    'href',
    '#/models?search=xyz&license=gpl-3.0&fits=false',
  );
  expect(screen.getByRole('link', { name: 'Clear the search and filters' })).toHaveAttribute('href', '#/models');
});

test('where no model matches that does not fit either, none is to be looked for among those', async () => {
  await renderPage('#/models?search=xyz', { listModels: () => modelPage([], { hidden: 0 }) });
  expect(screen.getByText(/^Each search word must appear/)).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Look among those that do not fit' })).toBeNull();
  expect(screen.queryByRole('switch', { name: 'Show all models' }), 'it would add none').toBeNull();
  expect(screen.getByRole('link', { name: 'Clear the search and filters' })).toBeVisible();
});

test('a card tells how fast the model was here, where that was measured', async () => {
  const measuredAt = new Date(Date.now() - 3 * 86_400_000).toISOString();
  const speed = { tokensPerSecond: 12.4, measuredAt, program: 'a server 1', card: null };
  const quick = modelSummary('anna/quick', { fit: { ...big.fit, speed } });
  const slow = modelSummary('anna/slow', { fit: { ...big.fit, speed: { ...speed, tokensPerSecond: 2.14 } } });
  await renderPage('#/models', { listModels: () => modelPage([quick, slow, big]) });
  const line = /tokens a second/;
  expect(cardOf('anna/quick').getByText(line)).toHaveTextContent('12 tokens a second here, measured 3 days ago');
  expect(cardOf('anna/slow').getByText(line)).toHaveTextContent('2.1 tokens a second here');
  expect(cardOf('anna/big-model').queryByText(line)).toBeNull();
});

test('the first values of a facet are shown, and more on request', async () => {
  await renderPage();
  const author = facet('Author');
  expect(author.getAllByRole('link')).toHaveLength(6);
  expect(facet('Task').queryByRole('button')).toBeNull();
  await userEvent.click(author.getByRole('button', { name: 'Show more of Author' }));
  expect(author.getAllByRole('link')).toHaveLength(26);
  await userEvent.click(author.getByRole('button', { name: 'Show more of Author' }));
  expect(author.getAllByRole('link')).toHaveLength(30);
  await userEvent.click(author.getByRole('button', { name: 'Show fewer of Author' }));
  expect(author.getAllByRole('link')).toHaveLength(6);
});

test('a search starts after a pause in typing, with the current filters, and follows the address', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { calls } = await renderPage('#/models?page=3');
  const field = screen.getByRole('textbox', { name: 'Search models' });
  fireEvent.change(field, { target: { value: 'big ' } });
  fireEvent.click(facet('Task').getByRole('link', { name: /^Translation/ }));
  await act(() => vi.advanceTimersByTimeAsync(200));
  expect(window.location.hash).toBe('#/models?task=translation');
  await act(() => vi.advanceTimersByTimeAsync(50));
  expect(window.location.hash).toBe('#/models?search=big&task=translation');
  expect(calls.at(-1)?.input).toMatchObject({ query: { search: 'big', task: 'translation', page: 1 } });
  expect(field).toHaveValue('big ');
  await following(() => {
    window.location.hash = '#/models?search=other';
  });
  expect(field).toHaveValue('other');
});

test('the results are paged and sorted', async () => {
  const { calls } = await renderPage('#/models?page=2', {
    listModels: () => modelPage([big], { matches: 150, page: 2, pages: 7 }),
  });
  expect(screen.getByText('150 models')).toHaveTextContent('150 models, page 2 of 7');
  await following(() => userEvent.click(screen.getByRole('link', { name: 'Next page' })));
  await following(() => userEvent.click(screen.getByRole('radio', { name: 'Smallest' })));
  expect(listed(calls)).toMatchObject([
    { query: { page: 2, sort: 'best' } },
    { query: { page: 3 } },
    { query: { page: 1, sort: 'smallest' } },
  ]);
});

test('a remote catalog that does not answer shows its last copy, its age and the problem, and can be refreshed', async () => {
  const source = catalogSource({
    kind: 'remote',
    url: 'https://catalog.test/api/v1',
    fetchedAt: new Date(Date.now() - 5 * 60_000).toISOString(),
    problem: 'The service does not answer.',
  });
  const { calls } = await renderPage(
    '#/models',
    { listModels: () => modelPage([big], { source }), refreshCatalog: () => source },
    { catalogSource: source },
  );
  expect(screen.getByText('From', { exact: false })).toHaveTextContent(
    'From https://catalog.test/api/v1, loaded 5 min ago',
  );
  expect(screen.getByText('The service does not answer.')).toBeVisible();
  expect(screen.getByRole('radio', { name: 'Largest' })).toBeChecked();
  expect(screen.queryByRole('switch', { name: 'Show all models' }), 'its models run elsewhere').toBeNull();
  expect(screen.getByRole('article', { name: 'anna/big-model' })).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  expect(calls.map(({ name }) => name)).toEqual(['listModels', 'refreshCatalog', 'listModels']);
});

test('newer models of the catalog are shown on request', async () => {
  const { store, calls } = await renderPage();
  act(() => store.getState().apply({ type: 'catalog-source.changed', catalogSource: catalogSource({ total: 200 }) }));
  expect(listed(calls)).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: 'Show the newest' }));
  expect(listed(calls)).toHaveLength(2);
});

test('placeholders are shown while the first page loads; a failed load says why and can be retried', async () => {
  const first = Promise.withResolvers<never>();
  let answer = (): unknown => first.promise;
  await renderPage('#/models', { listModels: () => answer() });
  expect(screen.getByRole('status', { name: 'Loading' })).toBeInTheDocument();
  first.reject(new DaemonError(500, 'The catalog is damaged.'));
  expect(await screen.findByText(/The catalog is damaged\./)).toBeVisible();
  expect(screen.queryByRole('status', { name: 'Loading' })).toBeNull();
  answer = () => modelPage([big]);
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('article', { name: 'anna/big-model' })).toBeVisible();
});

test('a catalog without models links to the settings', async () => {
  const source = catalogSource({
    kind: 'remote',
    url: 'https://x.test/api/v1',
    total: 0,
    problem: 'It never answered.',
  });
  await renderPage('#/models', { listModels: () => modelPage([], { source }) }, { catalogSource: source });
  expect(screen.getByRole('heading', { name: 'The catalog has no models' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Choose another catalog' })).toHaveAttribute('href', '#/settings');
});

test('the filters collapse and show how many are active', async () => {
  await renderPage('#/models?task=translation&author=author-1');
  const fold = screen.getByRole('button', { name: 'Filters (2)', hidden: true });
  expect(fold).toHaveAttribute('aria-expanded', 'false');
  await userEvent.click(fold);
  expect(fold).toHaveAttribute('aria-expanded', 'true');
});
