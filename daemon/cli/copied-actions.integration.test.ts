/** The copied command and the copied request of each action do what its button does: the real daemon over real HTTP. */
import { once } from 'node:events';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { CallInput, CallName, DaemonClient } from '../client/calls.ts';
import { commandFor, commandWords, ownCommands } from '../client/command-words.ts';
import { copiedCommand, copiedRequest } from '../client/copied-text.ts';
import { type LooseInput, requestOf } from '../client/daemon-request.ts';
import { addresses } from '../client/node/addresses.ts';
import { daemonAt } from '../client/node/daemon-at.ts';
import type { TerminalCall } from '../contract/daemon.ts';
import type { EndpointRequest } from '../contract/endpoints/endpoint-request.ts';
import { operationAt } from '../http/requests/operation-paths.ts';
import { systemNow } from '../shared/clock.ts';
import { type CheckedDaemon, startCheckedDaemon } from '../testing/daemon/checked-daemon.ts';
import { minimalRequestOn } from '../testing/daemon/endpoint-api.ts';
import { newDataDir, projectDir } from '../testing/daemon/test-daemon.ts';
import { writeSmallCatalog } from '../testing/models/small-catalog.ts';
import { movableClock } from '../testing/movable-clock.ts';
import { atTerminal, captureOutput } from '../testing/terminal/in-process.ts';
import { robotDaemon } from './robot-daemon.ts';

/** Moves the waiting only; the time of day is the system's, which the command that signs in writes too. */
const clock = { ...movableClock(), now: systemNow };
let checked: CheckedDaemon;
let dataDir: string;
let token: string;
let client: DaemonClient;
let terminal: TerminalCall;
let minimal: EndpointRequest;

/** An installed app for each way to do something, since an app can be removed once. */
const appOf = (way: number) => `wave_${way}`;

beforeAll(async () => {
  dataDir = await newDataDir();
  for (const way of [0, 1, 2]) await writeApp(appOf(way), `wave-${way}`);
  terminal = { program: ['robot-daemon'], dataDir, shell: 'posix' };
  checked = await startCheckedDaemon({ dataDir, clock, terminal, catalogFile: await writeSmallCatalog(dataDir) });
  token = await checked.newToken();
  client = daemonAt(checked.daemon.url, { token, deadlineMs: null });
  minimal = minimalRequestOn((await checked.ask('GET', '/v2/provider/lab')).body);
});
// It folds the robot.
afterAll(async () => {
  if (checked) await clock.during(Promise.resolve(checked[Symbol.asyncDispose]()));
  await rm(dataDir, { recursive: true, force: true });
});

/** Writes an app with an earlier version into the data folder. Its Python is not there, so that it cannot run. */
async function writeApp(name: string, folder: string): Promise<void> {
  const app = join(dataDir, 'apps', folder);
  await cp(join(projectDir, 'daemon', 'testing', 'data-folders', '0.1.0', 'apps', 'hello-wave'), app, {
    recursive: true,
  });
  const pointer = join(app, 'current.json');
  const text = (await readFile(pointer, 'utf8')).replaceAll('hello_wave', name).replaceAll('hello-wave', folder);
  await writeFile(pointer, text);
}

interface Case<N extends CallName> {
  readonly input: (appName: string) => CallInput<N>;
  readonly before?: (appName: string) => Promise<unknown>;
  /** The state to compare afterwards. */
  readonly after?: (appName: string) => Promise<unknown>;
  /** The answer that a person types to the command's question. */
  readonly answer?: { readonly wait: string; readonly send: string };
}

const ofApp = (appName: string) => ({ params: { appName } });
const poet = { namespace: 'lab', name: 'poet' };
const ofPoet = () => ({ params: poet });
const scaling = { minReplica: 0, maxReplica: 2, scaleToZeroTimeout: 20 };

const endpoints = async () => (await client.call('listEndpoints', { params: { namespace: 'lab' } })).items;
const stateOfPoet = async () => (await client.call('getEndpoint', ofPoet())).status.state;
const failed = async () => {
  await vi.waitFor(async () => expect(await stateOfPoet()).toBe('failed'), { interval: 20, timeout: 30_000 });
};
const noEndpoint = async () => {
  for (const { name } of await endpoints()) await client.call('deleteEndpoint', { params: { namespace: 'lab', name } });
};
/** An endpoint that nothing runs here: once that is found out, it changes no more by itself. */
const failedPoet = async () => {
  await noEndpoint();
  await client.call('createEndpoint', { params: { namespace: 'lab' }, body: { ...minimal, name: 'poet' } });
  await failed();
};
const pausedPoet = async () => {
  await failedPoet();
  await client.call('pauseEndpoint', ofPoet());
};
const settingsOfPoet = async () => {
  const { type, compute, experimentalFeatures } = await client.call('getEndpoint', ofPoet());
  return { type, scaling: compute.scaling, experimentalFeatures };
};

const robot = async () => (await client.call('getRobot')).robot;
const awake = () => client.call('wakeUpRobot');
const asleep = async () => {
  if ((await robot()).state !== 'asleep') await client.call('putRobotToSleep');
};

/** A program of the user has the robot, and moves it for a while. */
async function program(): Promise<void> {
  if ((await client.call('getAppSlot')).state === 'running') return;
  await awake();
  const socket = new WebSocket(`${checked.daemon.url.replace('http', 'ws')}/ws/sdk`);
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  const say = (message: object) => socket.send(JSON.stringify(message));
  say({ type: 'hello', protocol: 1, sdkVersion: '1', runToken: null, clientName: 'mover.py' });
  say({ type: 'goto_target', id: '1', antennas: [1, -1], durationS: 600 });
  await vi.waitFor(async () => expect((await client.call('getAppSlot')).state).toBe('running'));
}
const nobody = () => vi.waitFor(async () => expect((await client.call('getAppSlot')).state).toBe('free'));

const setVariable = (appName: string) =>
  client.call('setAppVariable', { params: { appName, variable: 'MOOD' }, body: { value: 'merry', secret: false } });

const folderWithoutApp = () => join(dataDir, "it's mine");
const newestJob = async () => {
  const [job] = await client.call('listJobs');
  const { state, failure } = await checked.daemon.jobEnd(job?.id ?? '');
  return { state, reason: failure?.reason };
};

const cases: { readonly [N in keyof typeof commandWords]: Case<N> } = {
  startApp: { input: (appName) => ({ ...ofApp(appName), query: { replace: true } }) },
  stopCurrentApp: { input: () => ({ query: { force: true } }), before: program },
  installApp: {
    input: () => ({ body: { url: folderWithoutApp(), downloadPython: true } }),
    before: () => mkdir(folderWithoutApp(), { recursive: true }),
    after: newestJob,
  },
  updateApp: { input: (appName) => ({ ...ofApp(appName), query: { downloadPython: true } }) },
  rollBackApp: {
    input: ofApp,
    after: async (appName) => (await client.call('getApp', ofApp(appName))).rolledBack !== null,
  },
  resetApp: {
    input: ofApp,
    before: (appName) => setVariable(appName),
    after: async (appName) => (await client.call('getApp', ofApp(appName))).reset !== null,
    answer: { wait: '\\[y/N\\] ', send: 'y\r' },
  },
  undoAppReset: {
    input: ofApp,
    before: async (appName) => {
      await setVariable(appName);
      await client.call('resetApp', ofApp(appName));
    },
    after: async (appName) => (await client.call('getApp', ofApp(appName))).reset !== null,
  },
  removeApp: {
    input: ofApp,
    after: async (appName) => (await client.call('listApps')).some(({ name }) => name === appName),
    answer: { wait: '\\[y/N\\] ', send: 'y\r' },
  },
  wakeUpRobot: { input: () => ({}), before: asleep, after: async () => (await robot()).state },
  putRobotToSleep: { input: () => ({}), before: awake, after: async () => (await robot()).state },
  stopRobot: {
    input: () => ({}),
    before: async () => {
      await awake();
      await client.call('playMove', { params: { name: 'dance2' }, body: {} });
    },
    after: async () => (await robot()).move,
  },
  playMove: {
    input: () => ({ params: { name: 'dance2' }, body: {} }),
    before: async () => {
      await client.call('stopRobot');
      await awake();
    },
    after: async () => (await robot()).move,
  },
  deployCatalogRecipe: {
    input: () => ({
      params: { recipePublicId: 'tiny-q4' },
      body: { namespace: 'lab', config: { name: 'poet', type: 'public', scaling } },
    }),
    before: noEndpoint,
    after: settingsOfPoet,
  },
  updateEndpoint: {
    input: () => ({
      ...ofPoet(),
      body: {
        type: 'public',
        compute: { scaling: { ...scaling, maxReplica: 3, measure: { pendingRequests: 2.5 } } },
        experimentalFeatures: { loadBalancer: 'least_connections', mcpLb: null },
        cacheHttpResponses: true,
        allowedOrigins: ['http://localhost:5173'],
      },
    }),
    before: failedPoet,
    after: settingsOfPoet,
  },
  resumeEndpoint: { input: ofPoet, before: pausedPoet, after: () => failed().then(stateOfPoet) },
  scaleEndpointToZero: { input: ofPoet, before: failedPoet, after: stateOfPoet },
  pauseEndpoint: { input: ofPoet, before: failedPoet, after: stateOfPoet },
  deleteEndpoint: {
    input: ofPoet,
    before: failedPoet,
    after: endpoints,
    answer: { wait: 'Type poet to delete it: ', send: 'poet\r' },
  },
  switchGraphicsCards: {
    input: () => ({ body: { isOn: false } }),
    before: () => client.call('switchGraphicsCards', { body: { isOn: true } }),
    after: async () => (await client.call('listGraphicsCards')).isOn,
  },
  tryGraphicsCardsAgain: { input: () => ({}) },
  removeModelFile: { input: () => ({ params: { fileId: 'nobody' } }) },
};

/** A call as the daemon has got it, and the status of its reply. An option that is not given is the same as false. */
interface SeenCall {
  readonly path: string;
  readonly query: object;
  readonly body: unknown;
  readonly status: number;
}

/** The calls of one operation while work is done. */
async function seenDuring(name: CallName, work: () => Promise<unknown>): Promise<SeenCall[]> {
  const seen: SeenCall[] = [];
  const send = globalThis.fetch;
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const response = await send(input, init);
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input);
    if (operationAt(init?.method ?? 'GET', pathname) === name) {
      seen.push({
        path: pathname.replace(/wave_\d/, 'wave'),
        query: Object.fromEntries([...searchParams].filter(([, value]) => value !== 'false')),
        body: typeof init?.body === 'string' ? JSON.parse(init.body) : null,
        status: response.status,
      });
    }
    return response;
  });
  try {
    await work();
  } finally {
    spy.mockRestore();
  }
  return seen;
}

/** The words of a command line, as a shell reads them. */
async function wordsIn(line: string): Promise<string[]> {
  const options = { env: { TOKEN: token }, stripFinalNewline: false } as const;
  const { stdout } = await execa('sh', ['-c', `printf '%s\\0' ${line}`], options);
  return stdout.split('\0').slice(0, -1);
}

/** Runs a command line that calls `robot-daemon`. */
async function runLine(line: string | null): Promise<void> {
  const [called, ...words] = await wordsIn(line ?? '');
  expect(called).toBe('robot-daemon');
  await robotDaemon(projectDir).run(words, '0.0.0-test');
}

/** Sends what a command line of curl does. */
async function sendLine(line: string): Promise<void> {
  const [called, ...words] = await wordsIn(line);
  expect(called).toBe('curl');
  const valuesOf = (flag: string) => words.flatMap((word, at) => (word === flag ? [words[at + 1] ?? ''] : []));
  const [url = ''] = words.filter((word) => word.startsWith('http'));
  const headers = Object.fromEntries(valuesOf('-H').map((header) => header.split(': ') as [string, string]));
  expect(headers['Authorization']).toBe(`Bearer ${token}`);
  const [method = 'GET'] = valuesOf('-X');
  const [body = null] = valuesOf('-d');
  const response = await fetch(url, { method, headers, body });
  await response.body?.cancel();
}

/** A case of any operation. */
type AnyCase = Omit<Case<CallName>, 'input'> & { readonly input: (appName: string) => LooseInput };

type DoIt = (name: CallName, input: LooseInput) => Promise<unknown>;
const ways: readonly DoIt[] = [
  (name, input) => client.call(name, input as never).catch(() => {}),
  (name, input) => sendLine(copiedRequest(checked.daemon.url, requestOf(addresses[name], input))),
  (name, input) => {
    const words = commandFor(name, input as never);
    return runLine(words && copiedCommand(terminal, words));
  },
];

test.each(Object.keys(commandWords) as (keyof typeof commandWords)[])(
  '%s: the request and the command do what the button does',
  async (name) => {
    const { input, before, after, answer } = cases[name] as unknown as AnyCase;
    if (answer) atTerminal([answer]);
    else captureOutput();
    if (before !== program) await clock.during(nobody());
    const results: unknown[] = [];
    for (const [way, doIt] of ways.entries()) {
      const appName = appOf(way);
      await clock.during(Promise.resolve(before?.(appName)));
      const calls = await clock.during(seenDuring(name, () => doIt(name, input(appName))));
      results.push({ calls, after: (await clock.during(Promise.resolve(after?.(appName)))) ?? null });
    }
    const [button, request, command] = results;
    expect(button).toMatchObject({ calls: [{ status: expect.any(Number) }] });
    expect(request).toEqual(button);
    expect(command).toEqual(button);
  },
);

test('the command that makes a token makes a valid one, and the one that revokes it ends it', async () => {
  const printed = captureOutput();
  await runLine(copiedCommand(terminal, ownCommands.createToken('ci', ['deploy', 'daemon'])));
  const headers = { authorization: `Bearer ${printed.out.trim()}` };
  const status = async () => (await fetch(`${checked.daemon.url}/v2/endpoint/lab`, { headers })).status;
  expect(printed.err).toContain('"ci" may deploy in every namespace; use this daemon from another machine.');
  expect(await status()).toBe(200);
  await runLine(copiedCommand(terminal, ownCommands.revokeToken('ci')));
  expect(await status()).toBe(401);
});

test('the command that signs in prints an address that does so; those that restart, check and report are commands', async () => {
  const printed = captureOutput();
  await runLine(copiedCommand(terminal, ownCommands.signIn));
  const { status, headers } = await fetch(printed.out.trim(), { redirect: 'manual' });
  expect({ status, to: headers.get('location') }).toEqual({ status: 303, to: '/#/signed-in' });
  const names = (['restart', 'doctor', 'report'] as const).map((each) => ownCommands[each].words[0]);
  expect(robotDaemon(projectDir).commands.map((each) => each.name())).toEqual(expect.arrayContaining(names));
});

test('the status says how a terminal calls the command for this daemon', async () => {
  expect((await client.call('getDaemonStatus')).terminal).toEqual(terminal);
});
