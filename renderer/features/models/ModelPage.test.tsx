import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import { type Answers, testDashboard } from '../../testing/fake-daemon.ts';
import {
  considered,
  endpoint,
  endpointListing,
  modelDetail,
  ownEndpoint,
  recipe,
  recipeDownload,
  replicaReport,
  session,
} from '../../testing/model-fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { ModelPage } from './ModelPage.tsx';

const recipes = [
  considered('big-vllm', {
    recipe: { publicId: 'big-vllm', accelerator: 'gpu', engineType: 'vllm' },
    fits: false,
    needBytes: 20e9,
    offer: null,
    capacityBytes: null,
    reason: 'There is no GPU here.',
  }),
  considered('big-q8'),
  considered('big-q4', { recipe: recipe('big-q4', { ggufFile: 'big-q4.gguf' }), isChosen: true }),
];
const detail = modelDetail('anna/big-model', { recipes });

async function renderPage(answers: Answers = {}) {
  const dashboard = testDashboard({
    getModel: () => detail,
    getSession: () => session(),
    listOwnEndpoints: () => endpointListing([]),
    getModelDownloads: () => ({ recipes: [], disk: null }),
    ...answers,
  });
  renderDashboard(dashboard, <ModelPage id="anna/big-model" />);
  await act(async () => {});
  return dashboard;
}

/** Opens the deploy dialog of the best recipe. */
async function openDeployDialog(answers: Answers = {}) {
  const dashboard = await renderPage(answers);
  await userEvent.click(screen.getByRole('button', { name: 'Deploy big-model' }));
  const dialog = await screen.findByRole('dialog', { name: 'Deploy big-model' });
  await within(dialog).findByRole('button', { name: /^(Deploy|Sign this browser in)$/ });
  return { ...dashboard, dialog: within(dialog) };
}
const refusing = (error: DaemonError) => () => Promise.reject(error);
const fieldsOf = (dialog: ReturnType<typeof within>) => ({
  name: dialog.getByRole('textbox', { name: 'Name' }),
  least: dialog.getByRole('textbox', { name: 'At least' }),
  most: dialog.getByRole('textbox', { name: 'At most' }),
  sleeps: dialog.getByRole('textbox', { name: 'Sleeps after' }),
});
const deploys = (calls: readonly { readonly name: string }[]) =>
  calls.filter(({ name }) => name === 'deployCatalogRecipe');

test('the best recipe comes first, deployed and compared as the model; one that does not fit says why and has no Deploy', async () => {
  await renderPage();
  const rows = within(screen.getByRole('table', { name: 'Recipes of the model' })).getAllByRole('row');
  const [, best, , next, , last, why] = rows;
  expect(best).toHaveTextContent(/^llama\.cpp on CPU best fitbig-q4\.gguf7\.0 GBthis machineno chargefits$/);
  expect(next).toHaveTextContent(/^llama\.cpp on CPU big-q8\.gguf/);
  expect(last).toHaveTextContent(/^vLLM on GPU 20.0 GB––does not fit$/);
  expect(why).toHaveTextContent('There is no GPU here.');
  expect(screen.getAllByRole('button', { name: /^Deploy/ }).map((button) => button.getAttribute('aria-label'))).toEqual(
    ['Deploy big-model', 'Deploy llama.cpp on CPU, big-q8.gguf'],
  );
  const compared = screen.getAllByRole('checkbox').map((box) => box.getAttribute('aria-label'));
  expect(compared).toEqual(['Compare big-model', 'Compare llama.cpp on CPU, big-q8.gguf', 'Compare vLLM on GPU']);
});

test('the speed is told of the model, and in their rows of the other recipes that were measured', async () => {
  const measuredAt = new Date(Date.now() - 3 * 86_400_000).toISOString();
  const speed = { tokensPerSecond: 12.4, measuredAt, program: 'llama-server b1', card: 'Example 4000' };
  const [vllm, q8, q4] = recipes.map((each) => ({ ...each, speed }));
  const fit = { ...detail.fit, speed };
  await renderPage({ getModel: () => ({ ...detail, fit, recipes: [vllm, { ...q8, speed: undefined }, q4] }) });
  const lines = screen.getAllByText(/tokens a second/).map(({ textContent }) => textContent);
  const text = '12 tokens a second here, measured 3 days ago with llama-server b1, Example 4000';
  expect(lines).toEqual([text, text]);
  const table = within(screen.getByRole('table', { name: 'Recipes of the model' }));
  expect(table.getByText(/tokens a second/).closest('tbody')).toHaveTextContent('vLLM on GPU');
});

test('the offers that can be used are listed, and on request the others with the reasons', async () => {
  await renderPage();
  const toggle = screen.getByRole('button', { name: 'Fits 1 of 2 offers, for llama.cpp on CPU, big-q4.gguf' });
  expect(toggle).toHaveAttribute('aria-expanded', 'false');
  await userEvent.click(toggle);
  const offers = screen.getByRole('table', { name: /^Offers considered for llama\.cpp/ });
  expect(within(offers).getAllByRole('row')).toHaveLength(2);
  expect(within(offers).getByRole('row', { name: /^this machine/ })).toHaveTextContent('fits');
  await userEvent.click(screen.getByRole('button', { name: 'Show the other one' }));
  expect(within(offers).getByRole('row', { name: /^cloud east/ })).toHaveTextContent(
    'cloud east, gpu x1It computes on another accelerator.24.0 GB$0.80ruled out',
  );
  await userEvent.click(toggle);
  expect(screen.queryByRole('table', { name: /^Offers/ })).toBeNull();
});

test('where no offer can be used, all are folded, and it says so', async () => {
  const none = considered('big-q4', { fits: false, offer: null });
  const refused = none.considered.map((each) => ({ ...each, fits: false }));
  await renderPage({ getModel: () => ({ ...detail, recipes: [{ ...none, considered: refused }] }) });
  await userEvent.click(screen.getByRole('button', { name: /^Fits none of 2 offers/ }));
  expect(screen.getByText('None of the 2 offers can be used.')).toBeVisible();
  expect(screen.queryByRole('table', { name: /^Offers/ })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Show the 2 offers' }));
  expect(screen.getByRole('table', { name: /^Offers/ })).toBeVisible();
});

test('a tight recipe can be deployed, and says so before and in the dialog', async () => {
  const tight = considered('big-q4', { isChosen: true, tight: true });
  await renderPage({ getModel: () => ({ ...detail, fit: { ...detail.fit, tight: true }, recipes: [tight] }) });
  expect(screen.getAllByText('tight')).toHaveLength(2);
  expect(screen.getAllByText(/keep the context short/)).toHaveLength(2);
  await userEvent.click(screen.getByRole('button', { name: 'Deploy big-model' }));
  expect(await screen.findByText('7.0 of 20.4 GB, tight: it takes most of the memory.')).toBeVisible();
});

test('a model without a program here says so, and leads to the programs', async () => {
  const reason = 'This machine has no program that runs it.';
  const lacks = { fits: false, lacksRuntime: true, offer: null };
  const fit = { ...detail.fit, ...lacks, sentence: reason };
  await renderPage({ getModel: () => ({ ...detail, fit, recipes: [considered('big-q4', { ...lacks, reason })] }) });
  expect(screen.getAllByText('program missing')).toHaveLength(2);
  const [link] = screen.getAllByRole('link', { name: 'Programs that run models' });
  expect(link).toHaveAttribute('href', '#/models?tab=machine');
  expect(screen.queryByRole('button', { name: /^Deploy/ })).toBeNull();
});

test('a model without a fitting recipe says why and cannot be deployed', async () => {
  const sentence = 'Needs 152 GB, 132 GB more than this machine has for it.';
  const fit = { ...detail.fit, fits: false, needBytes: 152e9, capacityBytes: 20.4e9, sentence };
  await renderPage({ getModel: () => ({ ...detail, fit, recipes: recipes.slice(0, 1) }) });
  expect(screen.getByText(fit.sentence)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Models for this task that fit' })).toHaveAttribute(
    'href',
    '#/models?task=text-generation&fits=true',
  );
  expect(screen.queryByRole('button', { name: /^Deploy/ })).toBeNull();
});

test('a model that lacks something else than memory leads to no other models', async () => {
  const fit = { ...detail.fit, fits: false, needBytes: null, sentence: 'Needs a GPU; this machine has none.' };
  await renderPage({ getModel: () => ({ ...detail, fit, recipes: recipes.slice(0, 1) }) });
  expect(screen.queryByRole('link', { name: 'Models for this task that fit' })).toBeNull();
});

const downloads = (change: object = {}) => ({
  recipes: [recipeDownload('big-q4', change), recipeDownload('big-q8', { missingBytes: 0 })],
  disk: { folder: '/data/models', freeBytes: 120e9 },
});

test('the download and the free space are stated in the row and in the dialog, before anything is pressed', async () => {
  await renderPage({ getModelDownloads: () => downloads() });
  expect(screen.getByText('Downloads 5.0 GB; the disk has 120 GB free.')).toBeVisible();
  expect(screen.getByText('Its file (5.0 GB) is on this machine: nothing is downloaded.')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Deploy big-model' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Deploy big-model' }));
  expect(dialog.getByText('Downloads 5.0 GB; the disk has 120 GB free.')).toBeVisible();
});

test('a disk without room for the download says so before the deploy', async () => {
  await renderPage({ getModelDownloads: () => downloads({ lackingBytes: 3.4e9 }) });
  const sentence = 'The disk of /data/models has too little space: 3.4 GB more are needed.';
  expect(screen.getByText(sentence)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Deploy big-model' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Deploy big-model' }));
  expect(dialog.getByText(sentence)).toBeVisible();
  expect(dialog.getByRole('link', { name: 'Model files' })).toHaveAttribute('href', '#/models?tab=machine');
});

test('without a way to the hub, that is said before the deploy, which is not offered then', async () => {
  const problem = { message: 'The hub cannot be reached.', action: 'Check the network, then try again.' };
  await renderPage({
    getModelDownloads: () => downloads({ problem, isBlocked: true }),
    getSession: () => session(),
  });
  expect(screen.getByText(problem.message)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Deploy big-model' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Deploy big-model' }));
  expect(dialog.getByText(problem.action)).toBeVisible();
  expect(await dialog.findByRole('button', { name: 'Deploy' })).toBeDisabled();
  expect(dialog.getByRole('status')).toHaveTextContent('The model cannot be downloaded now.');
});

test('a reason that stops the downloads of several recipes is told once, above them', async () => {
  const problem = { message: 'The hub cannot be reached.', action: 'Check the network, then try again.' };
  const failing = ['big-q4', 'big-q8'].map((id) => recipeDownload(id, { problem, isBlocked: true }));
  await renderPage({ getModelDownloads: () => ({ recipes: failing, disk: null }) });
  const table = screen.getByRole('table', { name: 'Recipes of the model' });
  expect(screen.getByText(problem.message)).toBeVisible();
  expect(within(table).queryByText(problem.message)).toBeNull();
  expect(within(table).getAllByText(/^Downloads 5\.0 GB/)).toHaveLength(2);
  expect(screen.getAllByRole('button', { name: 'Try again' })).toHaveLength(1);
});

test('a download that failed to be planned is asked about again by a button', async () => {
  const problem = { message: 'The hub cannot be reached.', action: 'Check the network, then try again.' };
  let isBlocked = true;
  await renderPage({ getModelDownloads: () => downloads(isBlocked ? { problem, isBlocked } : {}) });
  expect(screen.getByText(problem.message)).toBeVisible();
  isBlocked = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.queryByText(problem.message)).toBeNull());
  expect(screen.getByText('Downloads 5.0 GB; the disk has 120 GB free.')).toBeVisible();
});

test('the endpoints that serve the model are listed with their states and what they use', async () => {
  const replicas = [replicaReport({ memoryBytes: 1.2e9 })];
  const running = ownEndpoint('chat', { status: { ...endpoint('chat').status, state: 'running' } }, { replicas });
  const { calls, store } = await renderPage({ listOwnEndpoints: () => endpointListing([running], { matches: 3 }) });
  const list = within(screen.getByRole('region', { name: 'Endpoints of this model' }));
  expect(list.getByRole('listitem')).toHaveTextContent('chatrunning1.2 GB of memory');
  expect(list.getByRole('link', { name: '2 more endpoints' })).toBeVisible();
  const asked = () => calls.filter(({ name }) => name === 'listOwnEndpoints');
  expect(asked()).toMatchObject([{ input: { query: { repository: 'anna/big-model' } } }]);
  for (const revision of [2, 3, 4]) {
    act(() => store.getState().apply({ type: 'endpoints.changed', endpoints: { total: 3, revision, states: {} } }));
  }
  await waitFor(() => expect(asked()).toHaveLength(2));
});

test('a model that only lacks llama-server says where it is installed', async () => {
  const reason = 'It reads images, which needs llama-server. Install it.';
  const lacks = { fits: false, lacksRuntime: true, canInstall: true, offer: null };
  const fit = { ...detail.fit, ...lacks, sentence: reason };
  await renderPage({
    getModel: () => ({ ...detail, fit, recipes: [considered('big-q4', { ...lacks, reason })] }),
    getModelDownloads: () => downloads(),
  });
  expect(screen.getAllByText('needs llama-server')).toHaveLength(2);
  expect(screen.getAllByRole('link', { name: 'Programs that run models' })[0]).toHaveAttribute(
    'href',
    '#/models?tab=machine',
  );
  expect(screen.getByText('Downloads 5.0 GB; the disk has 120 GB free.')).toBeVisible();
});

test('a model that the catalog does not have says so', async () => {
  await renderPage({ getModel: refusing(new DaemonError(404, 'The catalog has no model "anna/big-model".')) });
  expect(screen.getByText(/The catalog has no model "anna\/big-model"\./)).toBeVisible();
  expect(screen.getByRole('heading', { level: 1, name: 'anna/big-model' })).toBeVisible();
});

test('a deploy shows a summary, sends the chosen values, and opens the new endpoint', async () => {
  const { dialog, calls } = await openDeployDialog({ deployCatalogRecipe: () => ({ endpoint: endpoint('my-model') }) });
  const using = dialog.getByRole('region', { name: 'Summary' });
  expect(using).toHaveTextContent(
    'Recipellama.cpp on CPUbig-q4.ggufRuns onthis machineMemory7.0 of 20.4 GBPriceno charge',
  );
  const { name, least, most, sleeps } = fieldsOf(dialog);
  expect(name).toHaveValue('big-model-k3f');
  await userEvent.clear(name);
  await userEvent.type(name, 'my-model');
  await userEvent.clear(least);
  await userEvent.type(least, '1');
  expect(sleeps).toBeDisabled();
  await userEvent.clear(most);
  await userEvent.type(most, '2');
  await userEvent.click(dialog.getByRole('radio', { name: 'Public' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Deploy' }));
  expect(deploys(calls)).toEqual([
    {
      name: 'deployCatalogRecipe',
      input: {
        params: { recipePublicId: 'big-q4' },
        body: {
          namespace: 'local',
          config: { name: 'my-model', type: 'public', scaling: { minReplica: 1, maxReplica: 2 } },
        },
      },
    },
  ]);
  expect(window.location.hash).toBe('#/models?tab=endpoints&made=my-model');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('invalid values are shown at their fields while the user types, and are not sent', async () => {
  const { dialog, calls } = await openDeployDialog();
  const { name, least, most } = fieldsOf(dialog);
  await userEvent.type(name, '_');
  expect(dialog.getByRole('alert')).toHaveTextContent('Lower-case letters, digits and -, at most 32 of them.');
  await userEvent.clear(least);
  await userEvent.type(least, '3');
  expect(dialog.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
    'Lower-case letters, digits and -, at most 32 of them.',
  ]);
  await userEvent.click(dialog.getByRole('button', { name: 'Deploy' }));
  expect(dialog.getByText('Must not be below “At least” (3).')).toBeVisible();
  expect(name).toHaveFocus();
  expect(name).toBeInvalid();
  expect(most).toBeInvalid();
  expect(deploys(calls)).toEqual([]);
});

test('a taken name is reported before it is sent', async () => {
  const { dialog } = await openDeployDialog({ listOwnEndpoints: () => endpointListing([ownEndpoint('ours')]) });
  const { name } = fieldsOf(dialog);
  await userEvent.clear(name);
  await userEvent.type(name, 'ours');
  expect(await dialog.findByText('There is an endpoint "ours" already.')).toBeVisible();
  await userEvent.type(name, '2');
  expect(dialog.queryByRole('alert')).toBeNull();
});

test('only a private endpoint offers a private link', async () => {
  const { dialog, calls } = await openDeployDialog({ deployCatalogRecipe: () => ({ endpoint: endpoint('x') }) });
  expect(dialog.queryByRole('switch', { name: 'Use a private link' })).toBeNull();
  await userEvent.click(dialog.getByRole('radio', { name: 'Private' }));
  const link = dialog.getByRole('switch', { name: 'Use a private link' });
  expect(link).toHaveAccessibleDescription('Stored, but without effect on this machine.');
  await userEvent.click(link);
  await userEvent.click(dialog.getByRole('button', { name: 'Deploy' }));
  const account = dialog.getByRole('textbox', { name: 'Account' });
  expect(account).toHaveFocus();
  await userEvent.type(account, '123456');
  await userEvent.click(dialog.getByRole('radio', { name: 'eu-west-1' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Deploy' }));
  expect(deploys(calls)[0]).toMatchObject({
    input: { body: { config: { privateService: { accountId: '123456', region: 'eu-west-1', shared: false } } } },
  });
});

test("the daemon's issues are shown at their fields, the others below", async () => {
  const issues = [
    { path: ['config', 'name'], message: 'the name is taken' },
    { path: ['namespace'], message: 'not for this token' },
  ];
  const { dialog } = await openDeployDialog({
    deployCatalogRecipe: refusing(new DaemonError(400, 'Not what the body should be.', issues)),
  });
  await userEvent.click(dialog.getByRole('button', { name: 'Deploy' }));
  expect(dialog.getByText('The name is taken.')).toBeVisible();
  expect(fieldsOf(dialog).name).toBeInvalid();
  expect(dialog.getByText('not for this token')).toBeVisible();
  await userEvent.type(fieldsOf(dialog).name, 'x');
  expect(dialog.queryByRole('alert')).toBeNull();
});

test.each([
  [409, 'No compatible compute found for the model: needs 44.0 GB.', 'See what fits now'],
  [404, 'The recipe is gone.', 'See the recipes'],
])('a %i shows its message with one action', async (status, message, action) => {
  const { dialog, calls } = await openDeployDialog({ deployCatalogRecipe: refusing(new DaemonError(status, message)) });
  await userEvent.click(dialog.getByRole('button', { name: 'Deploy' }));
  expect(dialog.getByRole('alert')).toHaveTextContent(message);
  await userEvent.click(dialog.getByRole('button', { name: action }));
  expect(calls.filter(({ name }) => name === 'getModel')).toHaveLength(2);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a deploy without a reply links to the endpoints, where it may exist', async () => {
  const { dialog, calls } = await openDeployDialog({
    deployCatalogRecipe: refusing(new DaemonError(null, 'The daemon did not answer within 10 s.')),
  });
  await userEvent.click(dialog.getByRole('button', { name: 'Deploy' }));
  expect(dialog.getByRole('link', { name: 'Check the endpoints' })).toHaveAttribute('href', '#/models?tab=endpoints');
  expect(deploys(calls)).toHaveLength(1);
});

test('a signed-out user signs in in the dialog and continues', async () => {
  let signedIn = false;
  const { dialog, calls, store } = await openDeployDialog({
    getSession: () => session({ signedIn }),
    signIn: ({ body: { token } }: { body: { token: string } }) => {
      if (token !== 'good') throw new DaemonError(401, 'The token is not known.');
      signedIn = true;
      return session();
    },
  });
  expect(dialog.getByText(/A token that may deploy works, too\./)).toBeVisible();
  const field = dialog.getByLabelText('Code or token of the daemon');
  await userEvent.type(field, 'bad');
  await userEvent.click(dialog.getByRole('button', { name: 'Sign this browser in' }));
  expect(await dialog.findByRole('alert')).toHaveTextContent('The token is not known.');
  await userEvent.clear(field);
  await userEvent.type(field, 'good');
  await userEvent.click(dialog.getByRole('button', { name: 'Sign this browser in' }));
  expect(await dialog.findByRole('textbox', { name: 'Name' })).toHaveValue('big-model-k3f');
  expect(calls.map(({ name }) => name)).toContain('signIn');
  expect(JSON.stringify(store.getState())).not.toContain('"good"');
});

test('a refusal because the session ended asks to sign in, and what was typed stays', async () => {
  let signedIn = true;
  const { dialog } = await openDeployDialog({
    getSession: () => session({ signedIn }),
    signIn: () => {
      signedIn = true;
      return session();
    },
    deployCatalogRecipe: () => {
      signedIn = false;
      throw new DaemonError(401, 'Not signed in.');
    },
  });
  await userEvent.clear(fieldsOf(dialog).name);
  await userEvent.type(fieldsOf(dialog).name, 'my-own-name');
  await userEvent.click(dialog.getByRole('button', { name: 'Deploy' }));
  const token = await dialog.findByLabelText('Code or token of the daemon');
  expect(dialog.getByText('This browser was signed out; the form keeps what you typed.')).toBeVisible();
  expect(dialog.queryByRole('textbox', { name: 'Name' })).toBeNull();
  await userEvent.type(token, 'good');
  await userEvent.click(dialog.getByRole('button', { name: 'Sign this browser in' }));
  expect(await dialog.findByRole('textbox', { name: 'Name' })).toHaveValue('my-own-name');
});
