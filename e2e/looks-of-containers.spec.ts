/**
 * The parts of pages about containers can be read and used in both themes, on narrow and wide windows. The states are put into
 * the daemon's replies: this journey needs no container engine.
 */
import type { Page } from '@playwright/test';
import type { EndpointDetail, EndpointState } from '../daemon/contract/endpoints/endpoint.ts';
import type { EndpointReport } from '../daemon/contract/endpoints/endpoint-report.ts';
import type { ContainerEngineStatus, RuntimeList } from '../daemon/contract/endpoints/runtimes.ts';
import { expectAccessible } from './accessible.ts';
import { expect, test } from './with-chat-standin.ts';

/** The changes of each page, by the addresses whose replies they change. */
const changes = new WeakMap<Page, Map<string, (reply: never) => void>>();

/** Changes each reply of the daemon at an address. A later change takes the place of an earlier one. */
async function changeReplies<Reply>(page: Page, address: RegExp, change: (reply: Reply) => void): Promise<void> {
  const ofPage = changes.get(page) ?? new Map<string, (reply: never) => void>();
  changes.set(page, ofPage);
  const isChanged = ofPage.has(address.source);
  ofPage.set(address.source, change);
  if (isChanged) return; // a reply under way would be lost with its route
  await page.route(address, async (route) => {
    const response = await route.fetch();
    const reply = (await response.json()) as never;
    ofPage.get(address.source)?.(reply);
    await route.fulfill({ response, json: reply });
  });
}

// A reply that is under way as the test ends is nobody's.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }));

const titles = [
  'Wait for the engine',
  'Download the image',
  'Download the model',
  'Check the model file',
  'Start the server',
  'Load the model',
];
const steps = titles.map((title, index) => ({
  name: title,
  title,
  state: (['done', 'running'] as const)[index] ?? ('pending' as const),
}));
const transfer = { doneBytes: 3.1e9, totalBytes: 8.4e9, bytesPerSecond: 12e6, stalled: false };

const replica = (index: number, change: Partial<EndpointReport['replicas'][number]> = {}) => ({
  ...{ id: `r${index}`, pid: null, container: `${index}fa2c1b09d8e77a1`, state: 'ready' as const },
  ...{ requests: index, slots: null, memoryBytes: 5.1e9, cpuPercent: 87, cardUse: null },
  ...change,
});

const messages: Readonly<Partial<Record<EndpointState, string>>> = {
  initializing: 'Downloading the image.',
  updating: 'Applying the update. The previous version serves requests until then.',
  updateFailed: 'The update failed. The previous version serves requests.',
  scaledToZero: 'Asleep. The next request wakes it.',
};

function show(page: Page, state: EndpointState, report: Partial<EndpointReport>) {
  return changeReplies<EndpointDetail>(page, /\/api\/endpoints\/lab\/chat$/, (detail) => {
    const errorMessage = report.failure?.message;
    Object.assign(detail.endpoint.status, { state, message: messages[state] ?? 'Ready.', errorMessage });
    Object.assign(detail.report, { runtime: 'Podman 5.4.2', progress: null, failure: null, replicas: [] }, report);
    Object.assign(detail.endpoint.compute.scaling, { minReplica: 1, maxReplica: 4, scaleToZeroTimeout: null });
    detail.memory = { estimatedBytes: 6.2e9, usedBytes: 5.1e9 };
    detail.traffic = { ...detail.traffic, requests: 4_000, cacheHits: 312 };
  });
}

const summary = (page: Page) => page.getByRole('region', { name: 'chat', exact: true });
const unknown = { memoryBytes: null, cpuPercent: null };
const later = { ...unknown, state: 'starting', requests: 0 } as const;

test('the start of a container and its replicas can be read in every size and theme', async ({ page, openPage }) => {
  await show(page, 'initializing', { progress: { steps, transfer, detail: null } });
  await openPage('#/models/endpoints/lab/chat');
  await expect(summary(page)).toContainText('Downloading 3.1 of 8.4 GB');
  await expectAccessible(page, 'container-download');
  await show(page, 'initializing', { progress: { steps, transfer: null, detail: '3 of 7 layers' } });
  await expect(summary(page)).toContainText('Download the image: 3 of 7 layers');
  await expectAccessible(page, 'container-layers');
  await show(page, 'running', {
    scaling: '3 replicas: 4.2 requests at a time, at most 1.5 for each replica.',
    replicas: [replica(1), replica(2, { cpuPercent: 190 }), replica(3, { state: 'draining' }), replica(4, later)],
  });
  const replicas = page.getByRole('list', { name: 'Replicas' });
  await expect(replicas.getByRole('listitem')).toHaveCount(4);
  await replicas.scrollIntoViewIfNeeded();
  await expectAccessible(page, 'container-replicas');
  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByRole('radio', { name: 'The use of the hardware' }).check();
  await page.getByRole('textbox', { name: 'Percent in use' }).fill('120');
  await expectAccessible(page, 'container-settings');
  await page.getByRole('region', { name: 'Cache' }).scrollIntoViewIfNeeded();
  await expectAccessible(page, 'container-settings-below');
  await show(page, 'failed', {
    failure: {
      reason: 'container-engine',
      message: 'The container engine did not answer for ten minutes. It was probably ended.',
      action: 'Start it again, then resume the endpoint.',
      evidence: [],
    },
  });
  await summary(page).scrollIntoViewIfNeeded();
  await expect(summary(page)).toContainText('The container engine did not answer');
  await expectAccessible(page, 'container-engine-lost');
});

test('an update of containers, and replicas that could not be measured, can be read in every size and theme', async ({
  page,
  openPage,
}) => {
  await show(page, 'updating', {
    progress: { steps: steps.slice(0, 2), transfer: null, detail: null },
    replicas: [replica(1), replica(2, later)],
  });
  await openPage('#/models/endpoints/lab/chat');
  await expect(summary(page)).toContainText('updating');
  await expectAccessible(page, 'container-updating');
  await show(page, 'updateFailed', {
    failure: {
      reason: 'invalid-setting',
      message: 'The engine does not know an argument of the endpoint.',
      action: 'Change its arguments.',
      evidence: ['INFO starting', 'api_server.py: error: unrecognized arguments: --nope'],
    },
    scaling: 'No other replica is started for five minutes, because one failed. Its container ended with exit code 1.',
    replicas: [replica(1, unknown), replica(2, unknown)],
  });
  await expect(summary(page)).toContainText('unrecognized arguments');
  await expect(summary(page)).toContainText('The previous version serves requests.');
  await expectAccessible(page, 'container-update-failed');
  await page.getByRole('region', { name: 'Replicas' }).scrollIntoViewIfNeeded();
  await expectAccessible(page, 'container-unmeasured');
  await show(page, 'scaledToZero', {});
  await expect(page.getByText('None while it is asleep: the next request starts one.')).toBeVisible();
  await expectAccessible(page, 'container-asleep');
});

const none = { label: null, socket: null, isRootless: false, hasGpu: false, action: null, command: null };
const engines: Readonly<Record<string, ContainerEngineStatus>> = {
  'engine-missing': {
    ...none,
    problem: 'Podman is installed, and its service does not run.',
    action: 'Start the service.',
    command: 'systemctl --user enable --now podman.socket',
  },
  'engine-found': {
    ...none,
    ...{ label: 'Podman 5.4.2', socket: '/run/user/1000/podman/podman.sock', isRootless: true, problem: null },
  },
};

test('the container engine of a machine can be read in every size and theme', async ({ page, openPage }) => {
  for (const [name, containers] of Object.entries(engines)) {
    await changeReplies<RuntimeList>(page, /\/api\/runtimes/, (list) => Object.assign(list, { containers }));
    await openPage(`#/models?tab=machine&look=${name}`);
    await page.getByRole('button', { name: 'Look again' }).click();
    await expect(page.getByText(containers.command ?? containers.socket ?? '')).toBeVisible();
    await expectAccessible(page, name);
  }
});

test('what a model lacks, how many it answers and which pages may use it can be read in every size and theme', async ({
  page,
  openPage,
}) => {
  await show(page, 'running', {
    lacksChatTemplate: true,
    replicas: [replica(1, { slots: 4 }), replica(2, { slots: 4, state: 'silent' })],
  });
  await openPage('#/models/endpoints/lab/chat');
  await expect(summary(page)).toContainText('This model has no chat template');
  await expectAccessible(page, 'endpoint-without-template');
  await page.getByRole('list', { name: 'Replicas' }).scrollIntoViewIfNeeded();
  await expect(page.getByText('4 answers from each replica; further requests wait')).toBeVisible();
  await expectAccessible(page, 'endpoint-slots');
  await page.getByRole('tab', { name: 'Settings' }).click();
  const pages = page.getByRole('region', { name: 'Pages that may use it' });
  await pages.getByRole('textbox', { name: 'Origin' }).fill('http://localhost:5173/');
  await pages.getByRole('button', { name: 'Add' }).click();
  await expect(pages.getByRole('alert')).toBeVisible();
  await pages.scrollIntoViewIfNeeded();
  await expectAccessible(page, 'endpoint-pages');
  await page.getByRole('tab', { name: 'Try it' }).click();
  await expectAccessible(page, 'endpoint-completion');
});
