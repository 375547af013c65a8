import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { AppRun } from '../../contract/apps/runs.ts';
import type { DaemonStatus } from '../../contract/daemon.ts';
import type { RobotState } from '../../contract/robot/robot.ts';
import { type DataPaths, dataPaths } from '../../shared/files/data-paths.ts';
import { writeJsonFile } from '../../shared/files/json-file.ts';
import { partsNamed, pendingSince } from '../../testing/models/some-endpoints.ts';
import { daemonFacts, machineFacts, privateFacts, storedContents } from './report-sources.ts';

const AT = '2026-11-28T10:00:00.000Z';

async function newFolder(): Promise<DataPaths> {
  const root = await mkdtemp(join(tmpdir(), 'report-'));
  onTestFinished(() => rm(root, { recursive: true }));
  return dataPaths(root);
}

test('the values of plain variables, of apps and endpoints, and the access token are private; no secret is decrypted', async () => {
  const paths = await newFolder();
  await mkdir(join(paths.apps, 'dance'), { recursive: true });
  await mkdir(paths.endpoints);
  await writeJsonFile(join(paths.apps, 'dance', 'variables.json'), {
    variables: [
      { name: 'PLAIN', value: 'plain value', secret: false },
      { name: 'SEALED', value: 'key-file:1:AAAA', secret: true },
    ],
  });
  const { model, ...parts } = partsNamed('chat');
  await writeJsonFile(join(paths.endpoints, 'endpoint-chat.json'), {
    namespace: 'me',
    endpoint: { ...parts, model: { ...model, env: { MODE: 'of the model' } }, status: pendingSince(AT) },
    ...{ reasons: [], sealed: { variables: {}, imagePassword: null } },
  });
  await writeFile(paths.accessTokenFile, 'an-access-token-for-all\n');
  const { homes, secrets } = await privateFacts(paths);
  expect(homes).toContain(homedir());
  expect(secrets).toEqual(['plain value', 'of the model', 'an-access-token-for-all']);
});

test('the values of plain variables that a reset has set aside are private too, also once its record is lost', async () => {
  const paths = await newFolder();
  const variablesIn = async (folder: string, value: string) => {
    await mkdir(join(paths.apps, 'dance', folder), { recursive: true });
    await writeJsonFile(join(paths.apps, 'dance', folder, 'variables.json'), {
      variables: [
        { name: 'PLAIN', value, secret: false },
        { name: 'SEALED', value: 'key-file:1:AAAA', secret: true },
      ],
    });
  };
  await variablesIn('', 'live');
  await variablesIn('reset-0123456789ab', 'set aside');
  await variablesIn('reset-0123456789cd.damaged-20261128T100000000', 'kept');
  await variablesIn('files', 'saved by the app');
  expect((await privateFacts(paths)).secrets.toSorted()).toEqual(['kept', 'live', 'set aside']);
});

test('of a damaged data folder there is nothing to tell', async () => {
  const paths = await newFolder();
  for (const file of [paths.jobsFile, paths.runsFile]) await writeFile(file, '{');
  expect(await storedContents(paths)).toEqual({ apps: [], jobs: [], runs: [], crashes: [] });
});

test('a run that crashed is there with the lines that are kept of it', async () => {
  const paths = await newFolder();
  const run: AppRun = {
    ...{ runId: 'a0a0a0a0a0a0a0a0', appName: 'wave', startedAt: AT, endedAt: AT, outcome: 'crashed', exitCode: 1 },
    ...{ signal: null, message: 'It crashed.', diagnosis: null, version: '1.0', killed: [] },
  };
  await writeJsonFile(paths.runsFile, { runs: [run] });
  expect(await storedContents(paths)).toEqual({ apps: [], jobs: [], runs: [run], crashes: [{ run, lines: [] }] });
});

const robot: RobotState = {
  ...{ state: 'error', connected: true, reason: 'A motor is hot.', action: null, command: null, backend: 'lite' },
  ...{ simulation: null, torque: false, motion: null, move: null, atDefault: false },
};

test('the machine, the daemon and its robot are told, and what is wrong with them', () => {
  const status: DaemonStatus = {
    ...{ name: 'robot-daemon', version: '1.2.3', instanceId: 'one', pid: 7, startedAt: AT, dataDir: '/data' },
    python: { state: 'missing', reason: 'Apps need Python.', action: 'Install it.' },
    storageProblem: { reason: 'The disk is full.', action: 'Free some space.' },
    unexpectedEnd: { at: AT, what: 'The daemon was killed.', done: 'The robot was folded.', action: '' },
  };
  expect(daemonFacts(status, robot)).toEqual([
    ['daemon', `process 7, since ${AT}`],
    ['data folder', '/data'],
    ['Python', 'Apps need Python.'],
    ['robot', 'lite, error, A motor is hot.'],
    ['storage', 'The disk is full.'],
    ['last end', 'The daemon was killed. The robot was folded.'],
  ]);
  expect(machineFacts('1.2.3').map(([name]) => name)).toEqual([
    ...['Robot Desktop', 'Node', 'Electron', 'system', 'processor', 'memory'],
  ]);
});
