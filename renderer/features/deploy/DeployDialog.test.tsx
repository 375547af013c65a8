import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { ConsideredRecipe } from '../../../daemon/contract/catalog/models.ts';
import type { GraphicsCards } from '../../../daemon/contract/compute/graphics-cards.ts';
import { type Answers, testDashboard } from '../../testing/fake-daemon.ts';
import {
  cloudGpu,
  considered,
  endpoint,
  endpointListing,
  graphicsCards,
  modelDetail,
  recipe,
  recipeDownload,
  session,
} from '../../testing/model-fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { DeployDialog } from './DeployDialog.tsx';

const ggufFile = 'big-q4.gguf';
const onCard = considered('gpu-q4', {
  recipe: recipe('gpu-q4', { accelerator: 'gpu', ggufFile }),
  ...({ place: 'card', layers: { onCard: 25, all: 25 }, needBytes: 5e9, capacityBytes: 7.6e9 } as const),
});
const onProcessor = considered('cpu-q4', { recipe: recipe('cpu-q4', { ggufFile }), place: 'processor' });
const model = modelDetail('anna/big-model', { recipes: [onCard, onProcessor] });

async function renderDialog(answers: Answers = {}, asked: ConsideredRecipe = onCard) {
  const dashboard = testDashboard({
    getSession: () => session(),
    listOwnEndpoints: () => endpointListing([]),
    listGraphicsCards: () => graphicsCards(),
    deployCatalogRecipe: () => ({ endpoint: endpoint('big') }),
    getModelDownloads: () => ({ recipes: [], disk: null }),
    ...answers,
  });
  renderDashboard(dashboard, <DeployDialog model={model} recipe={asked} onClose={() => {}} />);
  await act(async () => {});
  const dialog = within(await screen.findByRole('dialog', { name: 'Deploy big-model' }));
  await dialog.findByRole('button', { name: 'Deploy' });
  const deployed = () =>
    dashboard.calls.flatMap(({ name, input }) => (name === 'deployCatalogRecipe' ? [input] : [])) as unknown[];
  return {
    ...dashboard,
    dialog,
    deployed,
    toggle: () => dialog.queryByRole('switch', { name: 'Use the graphics card' }),
  };
}
const summary = (dialog: ReturnType<typeof within>) => dialog.getByRole('region', { name: 'Summary' });

test('a deploy uses the graphics card unless it is switched off; the choice of the place is left to the daemon', async () => {
  const { dialog, toggle, deployed } = await renderDialog();
  expect(toggle()).toBeChecked();
  expect(toggle()).toHaveAccessibleDescription('Parts that do not fit run on the processor.');
  expect(summary(dialog)).toHaveTextContent('llama.cpp on GPU');
  expect(summary(dialog)).toHaveTextContent('Graphics card25 of 25 layers');
  await userEvent.click(dialog.getByRole('button', { name: 'Deploy' }));
  expect(deployed()).toMatchObject([{ params: { recipePublicId: 'gpu-q4' } }]);
});

test('switched off by keyboard, it deploys the same file on the processor, and the summary says so first', async () => {
  const { dialog, toggle, deployed } = await renderDialog();
  toggle()?.focus();
  await userEvent.keyboard(' ');
  expect(toggle()).toHaveFocus();
  expect(toggle()).not.toBeChecked();
  expect(toggle()).toHaveAccessibleDescription('Runs on the processor, usually slower, and leaves the card free.');
  expect(summary(dialog)).toHaveTextContent('llama.cpp on CPUbig-q4.gguf');
  expect(summary(dialog)).toHaveTextContent('Memory7.0 of 20.4 GB');
  expect(summary(dialog)).not.toHaveTextContent('layers');
  await userEvent.click(dialog.getByRole('button', { name: 'Deploy' }));
  expect(deployed()).toMatchObject([{ params: { recipePublicId: 'cpu-q4' } }]);
});

test('a model that fits in part says how many layers, and that it is slower', async () => {
  const partly = { ...onCard, place: 'card-partly', layers: { onCard: 10, all: 25 } } as const;
  const { dialog } = await renderDialog({}, partly);
  expect(summary(dialog)).toHaveTextContent(
    'Graphics card10 of 25 layers; the others run on the processor, which is slower',
  );
});

test('a recipe for the processor is deployed there, unless the card is switched on', async () => {
  const { toggle, dialog, deployed } = await renderDialog({}, onProcessor);
  expect(toggle()).not.toBeChecked();
  await userEvent.click(toggle() as HTMLElement);
  await userEvent.click(dialog.getByRole('button', { name: 'Deploy' }));
  expect(deployed()).toMatchObject([{ params: { recipePublicId: 'gpu-q4' } }]);
});

test('where the file is only for the card, the switch says so and cannot be moved', async () => {
  const { toggle } = await renderDialog({}, { ...onCard, recipe: { ...onCard.recipe, ggufFile: 'other.gguf' } });
  expect(toggle()).toBeChecked();
  expect(toggle()).toBeDisabled();
  expect(toggle()).toHaveAccessibleDescription('The catalog has this file only for the graphics card.');
});

const problem = { kind: 'no-driver', message: 'No driver.', action: 'Install it.' } as const;
test.each<[string, () => unknown]>([
  ['there is no card', () => graphicsCards({ cards: [] })],
  ['the cards are switched off', () => graphicsCards({ isOn: false })],
  ['the card cannot be used', () => graphicsCards({ problem })],
  ['the daemon has not answered yet', () => new Promise<GraphicsCards>(() => {})],
  ['the look has failed', () => Promise.reject(new DaemonError(500, 'The runner is gone.'))],
])('nothing is said of the graphics card where %s, and the deploy goes on', async (_, listGraphicsCards) => {
  const { toggle, dialog, deployed } = await renderDialog({ listGraphicsCards });
  expect(toggle()).toBeNull();
  await userEvent.click(dialog.getByRole('button', { name: 'Deploy' }));
  expect(deployed()).toMatchObject([{ params: { recipePublicId: 'gpu-q4' } }]);
});

test('a refusal goes when the place is changed', async () => {
  const refuse = () => Promise.reject(new DaemonError(409, 'The card is full.'));
  const { toggle, dialog } = await renderDialog({ deployCatalogRecipe: refuse });
  await userEvent.click(dialog.getByRole('button', { name: 'Deploy' }));
  expect(await dialog.findByRole('alert')).toHaveTextContent('The card is full.');
  await userEvent.click(toggle() as HTMLElement);
  expect(dialog.queryByRole('alert')).toBeNull();
});

test('until it is known whether the hub can be reached, no deploy is offered, and the dialog says so', async () => {
  const answer = Promise.withResolvers<unknown>();
  const { dialog, deployed } = await renderDialog({ getModelDownloads: () => answer.promise });
  expect(dialog.getByRole('status')).toHaveTextContent('Asking the hub…');
  expect(dialog.getByRole('button', { name: 'Deploy' })).toBeDisabled();
  await userEvent.type(dialog.getByRole('textbox', { name: 'Name' }), '{Enter}');
  expect(deployed()).toEqual([]);
  await act(async () => answer.resolve({ recipes: [recipeDownload('gpu-q4')], disk: null }));
  expect(dialog.getByRole('status')).toBeEmptyDOMElement();
  await userEvent.click(dialog.getByRole('button', { name: 'Deploy' }));
  expect(deployed()).toHaveLength(1);
});

test('a look at the hub that fails does not stand in the way of a deploy', async () => {
  const { dialog, deployed } = await renderDialog({
    getModelDownloads: () => Promise.reject(new DaemonError(500, 'Something is wrong.')),
  });
  await userEvent.click(dialog.getByRole('button', { name: 'Deploy' }));
  expect(deployed()).toHaveLength(1);
});

test('a deploy that runs elsewhere does not wait for the hub', async () => {
  const elsewhere = { ...onProcessor, offer: cloudGpu };
  const { dialog, deployed } = await renderDialog({ getModelDownloads: () => new Promise(() => {}) }, elsewhere);
  await userEvent.click(dialog.getByRole('button', { name: 'Deploy' }));
  expect(deployed()).toHaveLength(1);
});
