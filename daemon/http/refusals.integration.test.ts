/** Every refusal that the contract documents is seen here, checked against both descriptions, or named with its test. */
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { type Operation, refusalsOf } from '../contract/operations/operation.ts';
import { type OperationName, operations } from '../contract/operations/operations.ts';
import { type CheckedDaemon, type RequestOptions, startCheckedDaemon } from '../testing/daemon/checked-daemon.ts';
import { projectDir } from '../testing/daemon/test-daemon.ts';
import { movableClock } from '../testing/movable-clock.ts';

type Asked = readonly [path: string, options?: RequestOptions];
type Ask = (name: OperationName, asked: Asked) => Promise<void>;

const clock = movableClock();
let checked: CheckedDaemon;
const seen = new Map<string, number[]>();
beforeAll(async () => {
  checked = await startCheckedDaemon({ clock });
});
// It folds the robot.
afterAll(() => checked && clock.during(Promise.resolve(checked[Symbol.asyncDispose]())));

const named = Object.entries(operations) as [OperationName, Operation][];

/** Asks, which checks the answer against the descriptions, and notes its status. */
const ask: Ask = async (name, [path, options]) => {
  const { status } = await checked.ask(operations[name].method, path, options);
  seen.set(name, [...(seen.get(name) ?? []), status]);
};
/** A path of an operation with something in place of each parameter. */
const pathOf = (name: OperationName, value = 'nobody') => operations[name].path.replace(/\{\w+\}/g, value);
const body = (value: unknown): RequestOptions => ({ body: value });

test('a wrongly encoded path, a body that is no JSON and a bad query are 400, a missing token 401', async () => {
  for (const [name, { path, body, caller }] of named) {
    const answerable = name !== 'watchEvents';
    if (path.includes('{')) await ask(name, [pathOf(name, '%zz')]);
    if (body) await ask(name, [pathOf(name), { raw: '{"', headers: { 'content-type': 'application/json' } }]);
    if (caller && answerable) await ask(name, [pathOf(name), { token: null }]);
  }
  const badQueries: Partial<Record<OperationName, string>> = {
    updateApp: 'downloadPython=x',
    watchEvents: 'types=x',
    undoAppReset: 'replace=x',
    ...{
      ...{ startApp: 'replace=x', runOwnApp: 'replace=x' },
      restartCurrentApp: 'wakePaid=x',
      stopCurrentApp: 'force=x',
      getAppOutput: 'after=x',
      listRuns: 'limit=x',
    },
    ...{ getRunOutput: 'after=x', listStore: 'page=x', touchAntenna: 'antenna=x', listCatalogItems: 'limit=x' },
    ...{ getAppImage: 'path=../x', getStoreAppImage: 'path=a.png&commit=main' },
    ...{ listEndpoints: 'limit=x', listModels: 'page=x', listOwnEndpoints: 'page=x', getEndpointLog: 'after=x' },
    ...{ getEndpointLogFile: 'errors=x', getRunOutputFile: 'errors=x', getFullState: 'with_body_yaw=x' },
    ...{ getPresentHeadPose: 'use_pose_matrix=x', listGraphicsCards: 'measure=x', restartDaemon: 'interrupt=x' },
  };
  const withQuery = named.filter(([, { query }]) => query).map(([name]) => name);
  expect(Object.keys(badQueries).toSorted()).toEqual(withQuery.toSorted());
  for (const [name, query] of Object.entries(badQueries) as [OperationName, string][]) {
    await ask(name, [`${pathOf(name, 'a0a0a0a0a0a0a0a0')}?${query}`]);
  }
});

/** The dashboard, signed in with a token. */
async function signedIn(): Promise<RequestOptions> {
  const signIn = await checked.ask('PUT', '/api/session', body({ token: await checked.newToken() }));
  const [cookie = ''] = signIn.headers['set-cookie'] ?? [];
  return { token: null, headers: { cookie: cookie.split(';')[0] ?? '' } };
}

/** The dashboard of this machine's own user. */
function ownUser(): RequestOptions {
  const { name, value } = checked.daemon.newSessionCookie();
  return { token: null, headers: { cookie: `${name}=${value}` } };
}

test('what is too long or not there is refused', async () => {
  for (const name of ['getJob', 'getJobLog', 'cancelJob'] as const) {
    await ask(name, [pathOf(name, 'x'.repeat(65))]);
    expect(seen.get(name)?.at(-1)).toBe(400);
  }
  await ask('startApp', ['/api/apps/start-app/..%2f..']);
  expect(seen.get('startApp')?.at(-1)).toBe(400);
  const bodies: Partial<Record<OperationName, unknown>> = {
    ...{ setStartupApp: { startupApp: 'nobody' }, pinApp: { pinned: true }, checkModelFile: { path: '/nothing.gguf' } },
    ...{ setAppVariable: { value: 'x', secret: false }, assignEndpoint: { endpoint: null } },
    ...{ deployCatalogModel: { namespace: 'lab' }, deployCatalogRecipe: { namespace: 'lab' } },
    ...{ deployCatalogRepository: { namespace: 'lab', repoId: 'no/body' }, updateEndpoint: {} },
    ...{ publishOwnApp: {}, openOwnApp: {}, createOwnApp: { name: 'x', destination: '/not/there' } },
    ...{ addOwnApp: { folder: '/not/there' } },
    ...{ playMove: {}, stopMotion: { uuid: '0b2f8a3e-5f5d-4c56-9d0f-3f0e3f0b8a11' } },
  };
  const elsewhere = [
    'installApp',
    'createEndpoint',
    'listEndpoints',
    'listHardware',
    'getStoreApp',
    'getStoreAppImage',
    'restartCurrentApp',
    'endSession',
    'revokeToken',
  ];
  for (const [name, operation] of named) {
    if (!refusalsOf(operation)[404] || elsewhere.includes(name)) continue;
    const value = /\{(?:runId|ownAppId)\}/.test(operation.path) ? 'a0a0a0a0a0a0a0a0' : 'nobody';
    const query = name === 'getAppImage' ? '?path=a.png' : '';
    await ask(name, [pathOf(name, value) + query, operation.body ? body(bodies[name]) : {}]);
    expect({ name, status: seen.get(name)?.at(-1) }).toEqual({ name, status: 404 });
  }
  for (const id of ['nobody', 'x'.repeat(65)]) await ask('endSession', [pathOf('endSession', id), await signedIn()]);
  for (const id of ['nobody', 'x'.repeat(65)]) await ask('revokeToken', [pathOf('revokeToken', id), ownUser()]);
  const token = await checked.newToken({ namespaces: ['other'] });
  for (const name of ['listEndpoints', 'listHardware'] as const) await ask(name, [pathOf(name, 'lab'), { token }]);
});

test('what is about all namespaces, or for the owner, is refused to a token that is not', async () => {
  const token = await checked.newToken({ namespaces: ['other'] });
  const narrow = ['deployer-of-all', 'owner', 'own-user'];
  const refused = named.filter(([, { caller }]) => narrow.includes(caller ?? ''));
  for (const [name] of refused) {
    await ask(name, [pathOf(name), { token }]); // before its body is read
    expect({ name, status: seen.get(name)?.at(-1) }).toEqual({ name, status: 403 });
  }
});

test("what is for this machine's own user is refused where it makes no sense, and to a dashboard that a token opened", async () => {
  const made = { ...ownUser(), ...body({ name: 'phone', scopes: ['daemon'] }) };
  await ask('createToken', ['/api/tokens', { ...ownUser(), ...body({ scopes: ['all'] }) }]);
  await ask('createToken', ['/api/tokens', made]);
  await ask('createToken', ['/api/tokens', made]);
  expect(seen.get('createToken')?.slice(-3)).toEqual([400, 200, 409]);
  await ask('restartDaemon', ['/api/daemon/restart?interrupt=x', ownUser()]);
  await ask('restartDaemon', ['/api/daemon/restart', ownUser()]); // nothing starts it again
  expect(seen.get('restartDaemon')?.slice(-2)).toEqual([400, 409]);
  for (const step of ['x', 'look']) {
    await ask('updateDesktop', ['/api/desktop/update', { ...ownUser(), ...body({ step }) }]); // there is no window
  }
  expect(seen.get('updateDesktop')?.slice(-2)).toEqual([400, 409]);
  const byToken = await signedIn();
  for (const name of ['createSignInCode', 'listTokens', 'createToken', 'restartDaemon', 'updateDesktop'] as const) {
    await ask(name, [pathOf(name), byToken]);
    expect({ name, status: seen.get(name)?.at(-1) }).toEqual({ name, status: 403 });
  }
});

test('mail needs a server that takes it', async () => {
  const server = {
    host: '127.0.0.1',
    port: 9,
    security: 'none',
    user: null,
    from: 'a@example.org',
    to: 'b@example.org',
  };
  await ask('sendTestMail', ['/api/mail/test']);
  await ask('setMailSettings', ['/api/mail', body(server)]);
  await ask('sendTestMail', ['/api/mail/test']);
  expect(seen.get('sendTestMail')).toEqual([401, 403, 409, 502]);
});

test('commands that do not fit the state are refused', async () => {
  await ask('stopCurrentApp', ['/api/apps/stop-current-app']);
  await ask('restartCurrentApp', ['/api/apps/restart-current-app']);
  await ask('signIn', ['/api/session', body({ token: 'nobody-knows-it' })]);
  await ask('changeDesktop', ['/api/desktop', body({ opensAtLogin: true })]); // there is no window
  await ask('checkModelFile', ['/api/model-files/check', body({ path: join(projectDir, 'package.json') })]);
  await ask('getStoreApp', ['/api/apps/store/ann/dance']); // there is no hub
  await ask('getStoreAppImage', [`/api/apps/store/ann/dance/image?path=a.png&commit=${'a'.repeat(40)}`]);
  await ask('signInToHub', ['/api/hub/token', body({ token: 'hf_x' })]);
  const choosing = ask('useRemoteCatalog', ['/api/catalog-source', body({ url: 'http://127.0.0.1:9/api/v1' })]);
  await clock.during(choosing); // it asks again, with pauses

  const posture = { antennas: [0, 0], durationS: 0.5 };
  const far = { head: [1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] };
  const movesByAlias = async ({ head }: { head?: number[] }): Promise<void> => {
    const pose = head ? { m: head } : null;
    await ask('startGoto', ['/api/move/goto', body({ head_pose: pose, antennas: [0, 0], duration: 0.5 })]);
    await ask('moveToTarget', ['/api/move/set_target', body({ target_head_pose: pose, target_antennas: [0, 0] })]);
  };
  const moves = async (target: { head?: number[] }): Promise<void> => {
    await ask('gotoPosture', ['/api/robot/goto', body({ ...posture, ...target })]);
    await ask('setRobotTarget', ['/api/robot/set-target', body({ antennas: [0, 0], ...target })]);
    await movesByAlias(target);
  };
  await moves({}); // it is asleep
  await clock.during(ask('wakeUpRobot', ['/api/robot/wake-up']));
  await moves(far);

  const program = new WebSocket(`${checked.daemon.url.replace('http', 'ws')}/ws/sdk`);
  onTestFinished(() => program.terminate());
  await once(program, 'open');
  const say = (message: object) => program.send(JSON.stringify(message));
  say({ type: 'hello', protocol: 1, sdkVersion: '1', runToken: null, clientName: 'mover.py' });
  say({ type: 'goto_target', id: '1', antennas: [1, -1], durationS: 30 });
  await vi.waitFor(async () => expect((await checked.daemon.slot()).state).toBe('running'));
  await moves({});
  await ask('wakeUpRobot', ['/api/robot/wake-up']);
  await ask('putRobotToSleep', ['/api/robot/sleep']);
  await ask('setMotorTorque', ['/api/robot/motors/torque', body({ on: true })]);
  await ask('startWakeUp', ['/api/move/play/wake_up']);
  await ask('startSleep', ['/api/move/play/goto_sleep']);
  await ask('setMotorMode', ['/api/motors/set_mode/disabled']);
  program.terminate();
});

test('a page too many gets no stream', async () => {
  const open = Array.from({ length: 50 }, async () => {
    const request = httpRequest(`${checked.daemon.url}/api/events`).end();
    onTestFinished(() => void request.destroy());
    request.on('error', () => {});
    await once(request, 'response');
  });
  await Promise.all(open);
  await ask('watchEvents', ['/api/events']);
});

const deploys = ['deployCatalogModel', 'deployCatalogRecipe', 'deployCatalogRepository'];
const ownApps = ['createOwnApp', 'previewPublication', 'publishOwnApp', 'openOwnApp'];
const variables = ['listAppVariables', 'setAppVariable', 'removeAppVariable'];
const resets = ['getAppReset', 'resetApp', 'undoAppReset'];

/** Refusals that need more than this daemon, and the tests that see them; null: nothing can cause it but lost records. */
const seenElsewhere: readonly (readonly [status: number, names: readonly string[], test: string | null])[] = [
  [404, ['getStoreApp'], 'apps/app-store.integration.test.ts'],
  [404, ['getStoreAppImage'], 'apps/app-readmes.torture.test.ts'],
  [422, ['getAppImage', 'getStoreAppImage'], 'apps/app-readmes.torture.test.ts'],
  [502, ['getAppImage'], 'apps/app-readmes.torture.test.ts'],
  [404, ['createEndpoint'], 'http/routes/endpoints.integration.test.ts'],
  [404, ['restartCurrentApp'], null],
  [409, ownApps, 'http/routes/own-apps.integration.test.ts'],
  [409, ['forgetOwnApp'], 'own-apps/run/folder-run.torture.test.ts'],
  [409, ['runOwnApp'], 'cli/assistant/run.torture.test.ts'],
  [422, ['previewPublication'], 'http/routes/own-apps.integration.test.ts'],
  [502, ['previewPublication'], 'http/routes/own-apps.integration.test.ts'],
  [503, ['checkOwnApp', 'publishOwnApp'], 'jobs/job-queue.test.ts'],
  [409, ['updateApp'], 'apps/install/install-sources.torture.test.ts'],
  [409, ['rollBackApp', 'removeApp'], 'apps/installed/app-versions.test.ts'],
  [409, ['startApp'], 'apps/run/apps.torture.test.ts'],
  [409, variables, 'http/routes/damaged-key.torture.test.ts'],
  [409, resets, 'http/routes/app-resets.integration.test.ts'],
  [409, ['playMove'], 'http/routes/moves.torture.test.ts'],
  [409, ['startMove'], 'http/routes/aliases.torture.test.ts'],
  [409, ['touchAntenna', 'setSimulatedFaults'], 'http/routes/robot.torture.test.ts'],
  [409, deploys, 'http/routes/deploy.integration.test.ts'],
  [409, ['createEndpoint'], 'http/routes/endpoint-requests.integration.test.ts'],
  [409, ['updateEndpoint'], 'http/routes/endpoints.integration.test.ts'],
  [409, ['removeModelFile'], 'http/routes/model-files.integration.test.ts'],
  [409, ['pruneDownloadCache'], 'doctor/doctor.torture.test.ts'],
  [500, ['startApp', 'restartCurrentApp'], 'apps/run/app-runner.test.ts'],
  [502, deploys, 'http/routes/remote-catalog.integration.test.ts'],
  [504, deploys, 'http/routes/remote-catalog.integration.test.ts'],
  [503, ['startApp', 'restartCurrentApp'], 'apps/run/app-runner.test.ts'],
  [503, ['playMove', 'startMove'], 'http/routes/moves.torture.test.ts'],
  [503, ['startWakeUp', 'startSleep', 'setMotorMode'], 'http/routes/robot.torture.test.ts'],
  [503, ['wakeUpRobot', 'putRobotToSleep', 'setMotorTorque'], 'http/routes/robot.torture.test.ts'],
  [503, ['installApp', 'updateApp', 'installLlamaServer', 'checkInstallation'], 'jobs/job-queue.test.ts'],
];

test('the tests that see the others exist', async () => {
  for (const [, , file] of seenElsewhere) if (file !== null) await access(join(projectDir, 'daemon', file));
});

test('every documented refusal has been seen', () => {
  const missing = named.flatMap(([name, operation]) =>
    Object.keys(refusalsOf(operation))
      .map(Number)
      // A disk that is full or read-only: the tests of full disks.
      .filter((status) => !(operation.saves && (status === 507 || (status === 503 && !operation.refusals?.[503]))))
      .filter((status) => !seen.get(name)?.includes(status))
      .filter((status) => !seenElsewhere.some(([at, names]) => at === status && names.includes(name)))
      .map((status) => `${name} ${status}`),
  );
  expect(missing).toEqual([]);
});
