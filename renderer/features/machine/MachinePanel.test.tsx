import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { DaemonError } from '../../../daemon/client/daemon-error.ts';
import { NO_CHAT_TEMPLATE } from '../../../daemon/contract/endpoints/chat-template.ts';
import type { Job } from '../../../daemon/contract/jobs.ts';
import { type Answers, testDashboard } from '../../testing/fake-daemon.ts';
import { installJob } from '../../testing/fixtures.ts';
import {
  endpoint,
  endpointListing,
  ggufFacts,
  graphicsCard,
  graphicsCards,
  hardware,
  modelFile,
  runtimeList,
  session,
} from '../../testing/model-fixtures.ts';
import { renderDashboard } from '../../testing/render-dashboard.tsx';
import { MachinePanel } from './MachinePanel.tsx';

async function renderPanel(answers: Answers = {}, jobs: Job[] = [], query = '') {
  const dashboard = testDashboard(
    {
      getSession: () => session(),
      listRuntimes: () => runtimeList(),
      listModelFiles: () => [],
      listOwnEndpoints: () => endpointListing([]),
      ...answers,
    },
    { jobs },
  );
  renderDashboard(dashboard, <MachinePanel query={query} />);
  await act(async () => {});
  return dashboard;
}
const region = (name: string) => within(screen.getByRole('region', { name }));
const programs = () => region('Programs that run models');
const install = (change: Partial<Job> = {}) =>
  installJob('x', { kind: 'install-runtime', subject: 'llama-server', appName: null, ...change });

test('the programs are listed with version, path and the reason why one is not used', async () => {
  await renderPanel();
  const [server, bundled, containers] = programs().getAllByRole('listitem');
  expect(server).toHaveTextContent('llama-server not installed');
  expect(bundled).toHaveTextContent('bundled runner 3.21.1/app/llama-runner.cjsready');
  expect(containers).toHaveTextContent(/^Container engine.*No container engine answers on this machine\. not ready$/);
});

const noSocket = {
  ...{ label: null, socket: null, isRootless: false, hasGpu: false },
  ...{ problem: 'Podman is here, but its socket is not.', action: 'Switch it on, then look again.' },
  command: 'systemctl --user enable --now podman.socket',
};

test('a container engine that is missing says why and what to do, with the command to copy; it is looked for again', async () => {
  const found = { ...noSocket, label: 'Podman 4.3.1', socket: '/run/user/1000/podman/podman.sock', isRootless: true };
  const ready = { ...found, hasGpu: true, problem: null, action: null, command: null };
  await renderPanel({
    listRuntimes: () => runtimeList({ containers: noSocket }),
    findRuntimes: () => runtimeList({ containers: ready }),
  });
  expect(programs().getByText(`${noSocket.problem} ${noSocket.action}`)).toBeVisible();
  expect(programs().getByText(noSocket.command)).toBeVisible();
  const copy = { name: 'Copy the command that gets the container engine ready' };
  expect(programs().getByRole('button', copy)).toBeVisible();
  await userEvent.click(programs().getByRole('button', { name: 'Look again' }));
  expect(await programs().findByText('ready, uses the graphics card')).toBeVisible();
  const [, , engine] = programs().getAllByRole('listitem');
  expect(engine).toHaveTextContent(
    /^Podman 4\.3\.1.*\/run\/user\/1000\/podman\/podman\.sock · without the rights of root/,
  );
  expect(programs().queryByRole('button', copy)).toBeNull();
});

test('llama-server is installed by a job whose progress replaces the button, and can be cancelled', async () => {
  const { calls, store } = await renderPanel({ installLlamaServer: () => install(), cancelJob: () => install() });
  expect(programs().getByText(/Downloads version b1 from example\.org, 45 MB\./)).toBeVisible();
  await userEvent.click(programs().getByRole('button', { name: 'Install llama-server' }));
  expect(calls.at(-1)?.name).toBe('installLlamaServer');
  act(() => store.getState().apply({ type: 'job.changed', job: install() }));
  expect(programs().queryByRole('button', { name: 'Install llama-server' })).toBeNull();
  await userEvent.click(programs().getByRole('button', { name: 'Cancel install of llama-server' }));
  expect(calls.at(-1)?.name).toBe('cancelJob');
});

test('the programs are looked up again when the install has ended', async () => {
  const here = { id: 'llama-server', label: 'llama-server', version: 'b1', path: '/x/llama-server' } as const;
  let list = runtimeList();
  const { store } = await renderPanel({ listRuntimes: () => list }, [install()]);
  list = runtimeList({ runtimes: [{ ...here, problem: null, hasGpu: true }] });
  act(() => store.getState().apply({ type: 'job.changed', job: install({ state: 'done' }) }));
  expect(await programs().findByText('ready, uses the graphics card')).toBeVisible();
  expect(programs().queryByRole('button', { name: /Install/ })).toBeNull();
});

test('a machine for which there is no download says why', async () => {
  const problem = 'There is no build for this processor.';
  const installable = { version: null, host: null, sizeBytes: null, usesCard: null, replaces: false, problem };
  await renderPanel({ listRuntimes: () => runtimeList({ installable }) });
  expect(programs().getByText(`llama-server cannot be downloaded here: ${problem}`)).toBeVisible();
  expect(programs().queryByRole('button', { name: /Install/ })).toBeNull();
});

const own = () => region('Your own model file');
async function check(path: string) {
  await userEvent.type(own().getByRole('textbox', { name: 'Path' }), path);
  await userEvent.click(own().getByRole('button', { name: 'Check' }));
}

test('the facts of a checked file go when another path is entered, so that it is not deployed under that', async () => {
  await renderPanel({ checkModelFile: () => ggufFacts() });
  await check('/models/Tiny_Model.gguf');
  await userEvent.type(own().getByRole('textbox', { name: 'Path' }), ' ');
  expect(own().getByRole('button', { name: 'Deploy…' }), 'the same path').toBeVisible();
  await userEvent.type(own().getByRole('textbox', { name: 'Path' }), 'x');
  expect(own().queryByRole('button', { name: 'Deploy…' })).toBeNull();
});

test('a file of the user is checked, and deployed where it is', async () => {
  const { calls } = await renderPanel({
    checkModelFile: () => ggufFacts(),
    listHardware: () => hardware(),
    createEndpoint: () => endpoint('tiny-model'),
  });
  await check('/models/Tiny_Model.gguf');
  expect(own().getByText('536 kB · 266K parameters · F32')).toBeVisible();
  expect(own().getByText('512 tokens')).toBeVisible();
  await userEvent.click(own().getByRole('button', { name: 'Deploy…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Deploy Tiny_Model.gguf' }));
  expect(dialog.getByRole('radio', { name: 'Chat and text' })).toBeChecked();
  await userEvent.click(dialog.getByRole('radio', { name: 'Public' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Deploy' }));
  await waitFor(() => expect(window.location.hash).toBe('#/models?tab=endpoints&made=tiny-model'));
  expect(calls.find(({ name }) => name === 'createEndpoint')).toEqual({
    name: 'createEndpoint',
    input: {
      params: { namespace: 'local' },
      body: {
        name: 'tiny-model',
        type: 'public',
        provider: { vendor: 'local', region: 'this-machine' },
        compute: {
          ...{ accelerator: 'cpu', instanceType: 'host', instanceSize: 'x1' },
          scaling: { minReplica: 0, maxReplica: 1, scaleToZeroTimeout: 15 },
        },
        model: {
          ...{ repository: 'own/Tiny_Model', framework: 'llamacpp', task: 'text-generation' },
          image: { llamacpp: { url: 'engines/llamacpp:cpu', modelPath: '/models/Tiny_Model.gguf' } },
        },
        experimentalFeatures: { skipRepoDownload: true },
      },
    },
  });
});

/** This machine, with a graphics card. */
function hardwareWithCard(): ReturnType<typeof hardware> {
  const machine = hardware();
  const computes = machine.vendors[0]?.regions[0]?.computes ?? [];
  computes.push(...computes.map((each) => ({ ...each, accelerator: 'gpu' as const, instanceType: 'host-gpu' })));
  return machine;
}

test.each([
  [
    'on the graphics card where one is',
    [graphicsCard()],
    0,
    { accelerator: 'gpu', instanceType: 'host-gpu', mayUseProcessor: true },
  ],
  ['on the processor once the card is switched off', [graphicsCard()], 1, { accelerator: 'cpu', instanceType: 'host' }],
  ['without a word about a card where none is', [], 0, { accelerator: 'cpu', instanceType: 'host' }],
] as const)('a file of the user is deployed %s', async (_, cards, presses, compute) => {
  const hasGpu = cards.length > 0;
  const runtimes = runtimeList().runtimes.map((each) => ({ ...each, hasGpu }));
  const { calls } = await renderPanel({
    checkModelFile: () => ggufFacts(),
    listHardware: () => (hasGpu ? hardwareWithCard() : hardware()),
    listRuntimes: () => runtimeList({ runtimes }),
    listGraphicsCards: () => graphicsCards({ cards: [...cards] }),
    createEndpoint: () => endpoint('tiny-model'),
  });
  await check('/models/Tiny_Model.gguf');
  await userEvent.click(own().getByRole('button', { name: 'Deploy…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Deploy Tiny_Model.gguf' }));
  const toggle = dialog.queryByRole('switch', { name: 'Use the graphics card' });
  expect(toggle !== null).toBe(hasGpu);
  if (presses > 0) await userEvent.click(toggle as HTMLElement);
  await userEvent.click(dialog.getByRole('button', { name: 'Deploy' }));
  await waitFor(() => expect(calls.some(({ name }) => name === 'createEndpoint')).toBe(true));
  expect(calls.find(({ name }) => name === 'createEndpoint')?.input).toMatchObject({ body: { compute } });
});

test('a file without a chat template says so, and is deployed with the one that is chosen', async () => {
  const { calls } = await renderPanel({
    checkModelFile: () => ggufFacts({ hasChatTemplate: false }),
    listHardware: () => hardware(),
    createEndpoint: () => endpoint('tiny-model'),
  });
  await check('/models/Tiny_Model.gguf');
  await userEvent.click(own().getByRole('button', { name: 'Deploy…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Deploy Tiny_Model.gguf' }));
  expect(dialog.getByText(NO_CHAT_TEMPLATE)).toBeVisible();
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Template' }), 'chatml');
  await userEvent.click(dialog.getByRole('button', { name: 'Deploy' }));
  await waitFor(() => expect(calls.some(({ name }) => name === 'createEndpoint')).toBe(true));
  expect(calls.find(({ name }) => name === 'createEndpoint')?.input).toMatchObject({
    body: { model: { image: { llamacpp: { modelPath: '/models/Tiny_Model.gguf', chatTemplate: 'chatml' } } } },
  });
});

test('a file that was chosen in the window is in the field, and is checked when the user says so', async () => {
  const { calls } = await renderPanel({ checkModelFile: () => ggufFacts() }, [], 'file=%2Fmodels%2FTiny.gguf');
  expect(own().getByRole('textbox', { name: 'Path' })).toHaveValue('/models/Tiny.gguf');
  expect(calls.filter(({ name }) => name === 'checkModelFile')).toEqual([]);
  expect(own().queryByRole('button', { name: 'Choose…' }), 'a browser has no such dialog').toBeNull();
});

test('of a dropped file the name is filled in, with the folder if one is known; nothing is sent', async () => {
  const { calls } = await renderPanel({ checkModelFile: () => ggufFacts() });
  const form = own().getByRole('form', { name: 'Check a model file' });
  const field = own().getByRole('textbox', { name: 'Path' });
  const drop = (name: string) =>
    fireEvent.drop(form, { dataTransfer: { files: [new File(['GGUF'], name)], items: [], getData: () => '' } });
  drop('Tiny.gguf');
  expect(await own().findByRole('alert')).toHaveTextContent(
    'A page is not told where a dropped file is.Put its folder before Tiny.gguf, then check it. Nothing was uploaded.',
  );
  expect(field).toHaveValue('Tiny.gguf');
  expect(field).toHaveFocus();
  await userEvent.clear(field);
  await check('/models/One.gguf');
  drop('Two.gguf');
  await waitFor(() => expect(field).toHaveValue('/models/Two.gguf'));
  expect(own().getByRole('alert')).toHaveTextContent('If it is not in /models/, correct the path; then check it.');
  drop('notes.txt');
  await waitFor(() => expect(own().getByRole('alert')).toHaveTextContent('notes.txt is no .gguf file.'));
  expect(field).toHaveValue('/models/Two.gguf');
  expect(calls.filter(({ name }) => name === 'checkModelFile')).toHaveLength(1);
});

test('a file that cannot be used says why at the field', async () => {
  const refused = new DaemonError(422, 'The file is cut off. Copy it again.');
  await renderPanel({ checkModelFile: () => Promise.reject(refused) });
  await check('/models/cut.gguf');
  expect(await own().findByRole('alert')).toHaveTextContent('The file is cut off. Copy it again.');
  expect(own().queryByRole('button', { name: 'Deploy…' })).toBeNull();
});

test('the vision part of a model is not deployed by itself', async () => {
  await renderPanel({ checkModelFile: () => ggufFacts({ architecture: 'clip' }) });
  await check('/models/eyes.gguf');
  expect(await own().findByText(/vision part of a model/)).toBeVisible();
  expect(own().queryByRole('button', { name: 'Deploy…' })).toBeNull();
});

const files = () => region('Downloaded model files');

test('the downloaded files are listed with sizes and users; those in use cannot be removed', async () => {
  await renderPanel({
    listModelFiles: () => [
      modelFile('big-q4.gguf', { users: ['ours'] }),
      modelFile('part.gguf', { state: 'partial', bytes: 1.2e9 }),
    ],
  });
  expect(files().getByText('2 files, 6.2 GB')).toBeVisible();
  const [used, part] = files().getAllByRole('listitem');
  expect(used).toHaveTextContent('big-q4.ggufanna/big-model · 5.0 GB · used by oursin use');
  expect(part).toHaveTextContent('part.ggufanna/big-model · 1.2 of 5.0 GBincomplete');
  expect(files().getByRole('button', { name: 'Remove big-q4.gguf' })).toBeDisabled();
});

test('a file without a user is removed after a confirmation, and the list is loaded again', async () => {
  let listed = [modelFile('big-q4.gguf')];
  const { calls } = await renderPanel({
    listModelFiles: () => listed,
    removeModelFile: () => {
      const [file] = listed;
      listed = [];
      return file;
    },
  });
  await userEvent.click(files().getByRole('button', { name: 'Remove big-q4.gguf' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Remove big-q4.gguf' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Remove it and free 5.0 GB' }));
  expect(calls.find(({ name }) => name === 'removeModelFile')?.input).toEqual({ params: { fileId: 'big-q4.gguf' } });
  expect(await files().findByText(/^None yet: /)).toBeVisible();
});

test('a signed-out user sees what is here, and signs in to change it', async () => {
  await renderPanel({ getSession: () => session({ signedIn: false }), listModelFiles: () => [modelFile('a.gguf')] });
  expect(screen.getByRole('region', { name: 'Sign in to change what is on this machine' })).toBeVisible();
  expect(programs().queryAllByRole('button')).toEqual([]);
  expect(files().queryAllByRole('button')).toEqual([]);
  const path = own().getByRole('textbox', { name: 'Path' });
  expect(path).toBeDisabled();
  expect(path).toHaveAccessibleDescription('Sign in to check a file.');
});
