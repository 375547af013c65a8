import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import { useRoute } from '../../navigation/route.ts';
import { type Answers, testDashboard } from '../../testing/fake-daemon.ts';
import { following } from '../../testing/follow-address.ts';
import {
  considered,
  endpointListing,
  modelDetail,
  modelPage,
  modelSummary,
  recipeDownload,
  session,
} from '../../testing/model-fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { ModelsPage } from '../models/ModelsPage.tsx';

const models = ['anna/big', 'ben/odd', 'cleo/new', 'dan/last'].map((id) => modelSummary(id));
const details: Readonly<Record<string, ReturnType<typeof modelDetail>>> = {
  big: modelDetail('anna/big', {
    recipes: [considered('big-q4', { isChosen: true }), considered('big-q8', { needBytes: 12e9 })],
  }),
  odd: modelDetail('ben/odd', { contextLength: null }),
};

function Page() {
  const { modelId, tab, query } = useRoute();
  return <ModelsPage modelId={modelId} tab={tab} query={query} />;
}

async function renderPage(hash: string, answers: Answers = {}) {
  window.location.hash = hash;
  const dashboard = testDashboard({
    listModels: () => modelPage(models),
    listOwnEndpoints: () => endpointListing([]),
    getSession: () => session(),
    getModel: ({ params }: { params: { author: string; model: string } }) =>
      details[params.model] ?? Promise.reject(new DaemonError(404, `The catalog has no model "${params.model}".`)),
    getModelDownloads: ({ params }: { params: { model: string } }) => ({
      recipes: details[params.model]?.recipes.map(({ recipe }) => recipeDownload(recipe.publicId)) ?? [],
      disk: null,
    }),
    ...answers,
  });
  renderDashboard(dashboard, <Page />);
  await act(async () => {});
  return dashboard;
}
const rowsOf = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent));

test('up to three models are collected in a tray, which leads to their comparison', async () => {
  await renderPage('#/models');
  const tray = () => screen.queryByRole('region', { name: 'Collected to compare' });
  expect(tray()).toBeNull();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Compare big' }));
  expect(tray()).toHaveTextContent('Choose one or two more.');
  expect(within(tray() as HTMLElement).queryByRole('link')).toBeNull();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Compare odd' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Compare new' }));
  expect(screen.getByRole('checkbox', { name: 'Compare last' })).toBeDisabled();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Compare new' }));
  expect(screen.getByRole('checkbox', { name: 'Compare last' })).toBeEnabled();
  screen.getByRole('checkbox', { name: 'Compare odd' }).focus();
  await userEvent.tab();
  expect(document.activeElement).toHaveAccessibleName('See the comparison');
  expect(within(tray() as HTMLElement).getByRole('link', { name: 'Compare 2' })).toHaveAttribute(
    'href',
    '#/models?tab=compare&compare=anna%2Fbig%2Cben%2Fodd',
  );
  await userEvent.click(within(tray() as HTMLElement).getByRole('button', { name: 'Do not compare odd' }));
  expect(screen.getByRole('checkbox', { name: 'Compare odd' })).not.toBeChecked();
  await userEvent.click(within(tray() as HTMLElement).getByRole('button', { name: 'Clear' }));
  expect(tray()).toBeNull();
});

test('a comparison shows the differences, and on request all; the address says which', async () => {
  await renderPage('#/models?tab=compare&compare=anna/big,anna/big/big-q8,ben/odd');
  const table = () => screen.getByRole('table', { name: 'Comparison' });
  expect(screen.getByText(/^They differ in 4 of 13 properties\.$/)).toBeVisible();
  expect(rowsOf(table())).toEqual([
    ['', 'bigwith its best recipe', 'bigllama.cpp on CPU, big-q8.gguf', 'oddwith its best recipe'],
    ['Author', 'anna', 'anna', 'ben'],
    ['Context', '40,960 tokens', '40,960 tokens', 'unknown'],
    ['File', 'big-q4.gguf', 'big-q8.gguf', 'odd-q4.gguf'],
    ['Memory', '7.0 of 20.4 GB', '12.0 of 20.4 GB', '7.0 of 20.4 GB'],
    ['Deploy', 'Deploy…', 'Deploy…', 'Deploy…'],
  ]);
  await following(() => userEvent.click(screen.getByRole('switch', { name: 'Show all' })));
  expect(window.location.hash).toMatch(/&all=true$/);
  expect(rowsOf(table())).toHaveLength(15);
  expect(within(table()).getByRole('row', { name: /^Download/ })).toHaveTextContent('Download5.0 GB5.0 GB5.0 GB');
  await following(() => userEvent.click(screen.getByRole('button', { name: 'Do not compare odd' })));
  expect(window.location.hash).toBe('#/models?tab=compare&compare=anna%2Fbig%2Canna%2Fbig%2Fbig-q8&all=true');
  expect(within(table()).getAllByRole('columnheader')).toHaveLength(2);
});

test('a compared recipe is deployed from its column', async () => {
  await renderPage('#/models?tab=compare&compare=anna/big,anna/big/big-q8');
  await userEvent.click(screen.getByRole('button', { name: 'Deploy big, llama.cpp on CPU, big-q8.gguf' }));
  const dialog = await screen.findByRole('dialog', { name: 'Deploy big' });
  expect(within(dialog).getByRole('region', { name: 'Summary' })).toHaveTextContent('big-q8.gguf');
});

test('a model that is gone does not hide the others; an address without models says what to do', async () => {
  await renderPage('#/models?tab=compare&compare=anna/big,x/gone,anna/big/gone-q1');
  const heads = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  expect(heads).toEqual([
    'bigwith its best recipe',
    'x/goneThe catalog has no model "gone".',
    'bigThe catalog no longer has this recipe.',
  ]);
});

test('an address without models says what to do', async () => {
  await renderPage('#/models?tab=compare&compare=nonsense');
  expect(screen.getByRole('heading', { name: 'No models to compare yet' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Choose models' })).toHaveAttribute('href', '#/models');
});

test('what an address compares is in the tray of the catalog, and recipes are collected on the page of a model', async () => {
  const { store } = await renderPage('#/models?tab=compare&compare=anna/big,ben/odd');
  await following(() => {
    window.location.hash = '#/models/anna/big';
  });
  expect(store.getState().compared).toEqual(['anna/big', 'ben/odd']);
  expect(screen.getByRole('checkbox', { name: 'Compare big' })).toBeChecked();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Compare llama.cpp on CPU, big-q8.gguf' }));
  expect(screen.getByRole('link', { name: 'Compare 3' })).toBeVisible();
});
