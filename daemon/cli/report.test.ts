import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ProblemReport } from '../contract/doctor/problem-report.ts';
import type { Job } from '../contract/jobs.ts';
import type { Diagnosis } from '../doctor/examine.ts';
import type { DataPaths } from '../shared/files/data-paths.ts';
import { writeJsonFile } from '../shared/files/json-file.ts';
import { projectDir } from '../testing/daemon/test-daemon.ts';
import { captureOutput } from '../testing/terminal/in-process.ts';
import { newDataFolder, recordInstance, serveScripted } from '../testing/terminal/scripted-daemon.ts';
import { projectVersion } from './project.ts';
import { type ReportOptions, report } from './report.ts';

const AT = '2026-11-28T10:00:00.000Z';
const made: ProblemReport = {
  createdAt: AT,
  version: '1.2.3',
  parts: [
    { id: 'system', title: 'Versions and system', text: 'Node  24\n', isIncluded: true },
    { id: 'log', title: 'Log of the daemon', text: 'It is empty.\n', isIncluded: true },
    { id: 'output-wave', title: 'Last lines of wave, which crashed', text: 'Boom.\n', isIncluded: false },
  ],
};
const check: Job = {
  ...{ id: 'one', kind: 'check-installation', subject: 'this installation', appName: null, state: 'done', steps: [] },
  ...{ detail: null, transfer: null, cancelling: false, failure: null, createdAt: AT, startedAt: AT, endedAt: AT },
  logTail: [],
};
const diagnosis: Diagnosis = {
  ...{ dataDir: '/data', daemon: null, python: null, installer: 'pip', secrets: null },
  surroundings: {
    ...{ disk: { freeBytes: null }, hub: { url: 'https://hub.example', answers: true } },
    packageIndex: { answers: null },
  },
  containerEngine: {
    ...{ label: null, socket: null, isRootless: false, hasGpu: false },
    ...{ problem: null, action: null, command: null },
  },
  graphicsCards: { isOn: true, cards: [], problem: null, hasFailed: false },
  inventory: { parts: [], apps: [], modelFiles: [] },
  findings: [
    {
      ...{ code: 'python-missing', severity: 'broken', what: 'Apps need Python.', where: 'PATH' },
      fix: { kind: 'by-hand', how: 'Install it.' },
    },
  ],
};

/** Makes a report on a data folder into an empty folder. @returns what was printed, and the text of the file */
async function reported(paths: DataPaths, options: ReportOptions = {}, name = 'problem.txt') {
  const folder = (await newDataFolder()).root;
  const printed = captureOutput();
  const file = join(folder, name);
  await report({ paths, projectDir, examine: async () => diagnosis }, file, options);
  const text = await readFile(file, 'utf8').catch(() => null);
  return { out: printed.out.replaceAll(folder, 'FOLDER'), code: printed.code, text, file };
}

async function withDaemon(): Promise<{ paths: DataPaths; seen: readonly { readonly call: string }[] }> {
  const { url, seen } = await serveScripted({ checkInstallation: check, getJob: check, getProblemReport: made });
  const paths = await newDataFolder();
  await recordInstance(paths, { url });
  return { paths, seen };
}

test('a running daemon checks itself and makes the report, which is saved for its user alone', async () => {
  const { paths, seen } = await withDaemon();
  const { out, code, text, file } = await reported(paths);
  expect({ out, code }).toEqual({
    out: `Saved in FOLDER/problem.txt. It is sent nowhere: look through it before you pass it on.
  system       9 B       Versions and system
  log          13 B      Log of the daemon
  output-wave  left out  Last lines of wave, which crashed
`,
    code: 0,
  });
  expect(text).toContain('\n== Log of the daemon ==\n\nIt is empty.\n');
  expect(text).not.toContain('Boom.');
  if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(seen.map(({ call }) => call)).toEqual([
    'POST /api/doctor/check',
    'GET /api/jobs/one',
    'GET /api/problem-report',
  ]);
});

test('the output of apps is added, and parts are left out, as its user chooses', async () => {
  const { paths } = await withDaemon();
  const { text } = await reported(paths, { withOutput: true, without: ['log'] });
  expect(text).toContain('Boom.');
  expect(text).toContain('Left out: Log of the daemon.');
  await expect(reported(paths, { without: ['logs'] })).rejects.toThrow(
    'There is no part "logs". The parts: system, log, and output-wave.',
  );
});

test('no file is replaced', async () => {
  const { paths } = await withDaemon();
  const file = join(paths.root, 'mine.txt');
  await writeFile(file, 'mine');
  captureOutput();
  await expect(report({ paths, projectDir }, file, {})).rejects.toThrow(`${file} exists already. Name another file.`);
  expect(await readFile(file, 'utf8')).toBe('mine');
});

test('as JSON every part is printed, and nothing is saved', async () => {
  const { paths } = await withDaemon();
  const { out, text } = await reported(paths, { json: true });
  expect({ printed: JSON.parse(out) as unknown, text }).toEqual({ printed: made, text: null });
});

test('without a name the file is in the folder of the terminal', async () => {
  const { paths } = await withDaemon();
  const folder = (await newDataFolder()).root;
  const cwd = vi.spyOn(process, 'cwd').mockReturnValue(folder);
  onTestFinished(() => cwd.mockRestore());
  captureOutput();
  await report({ paths, projectDir }, undefined, {});
  expect(await readdir(folder)).toEqual(['robot-desktop-problem-2026-11-28-100000.txt']);
});

test('without a daemon the report is made of what is on the disk, masked too', async () => {
  const paths = await newDataFolder();
  const job: Job = {
    ...{ ...check, kind: 'install-app', subject: '/wave', state: 'failed' },
    failure: { reason: 'build', message: `No setup in ${homedir()}/wave.`, action: 'Ask.', evidence: [] },
  };
  await writeJsonFile(paths.jobsFile, { jobs: [{ job, log: [] }] });
  const { text } = await reported(paths);
  expect(text).toContain(`by version ${await projectVersion(projectDir)}.`);
  expect(text).toMatch(/^daemon {9}not running$/m);
  expect(text).toContain('broken: Apps need Python.\n');
  expect(text).toContain('build: No setup in ~/wave. Ask.\n');
  expect(text).toContain('No daemon answers.');
});
