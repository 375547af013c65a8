import { expect, test } from 'vitest';
import type { AppRun, OutputLine } from '../../contract/apps/runs.ts';
import type { InstallationCheck } from '../../contract/doctor/installation-check.ts';
import type { Job } from '../../contract/jobs.ts';
import { problemReport, type ReportContents } from './problem-report.ts';

const AT = '2026-11-28T10:00:00.000Z';
const nothing: ReportContents = {
  ...{ version: '1.2.3', createdAt: new Date(AT), system: [], apps: [], check: null, jobs: [], runs: [], crashes: [] },
  log: [],
};
const unmasked = (text: string) => text;

async function textsOf(contents: Partial<ReportContents>, mask = unmasked): Promise<Record<string, string>> {
  const { parts } = await problemReport({ ...nothing, ...contents }, mask);
  return Object.fromEntries(parts.map(({ id, text }) => [id, text]));
}

const job: Job = {
  ...{ id: 'one', kind: 'install-app', subject: '/home/ada/wave', appName: 'wave', state: 'failed', steps: [] },
  ...{ detail: null, transfer: null, cancelling: false, createdAt: AT, startedAt: AT, endedAt: AT, logTail: [] },
  failure: {
    ...{ reason: 'build', message: 'It cannot be built.', action: 'Ask its author.' },
    evidence: ['error: no setup'],
  },
};
const run: AppRun = {
  ...{ runId: 'r1', appName: 'wave', startedAt: AT, endedAt: AT, outcome: 'crashed', exitCode: 1, signal: null },
  ...{ message: 'wave crashed.', version: '1.0', killed: [] },
  diagnosis: {
    ...{ cause: 'exception', message: 'It divides by zero.', action: 'Ask its author.' },
    ...{ ownLine: { file: 'wave/main.py', line: 7, code: '1 / 0' }, evidence: ['ZeroDivisionError'] },
  },
};
const line = (number: number, text: string): OutputLine => ({
  ...{ number, text, stream: 'stderr', truncated: false, at: AT },
});
const check: InstallationCheck = {
  checkedAt: AT,
  facts: [
    { name: 'Python', text: '3.12.4' },
    { name: 'installer', text: 'uv' },
  ],
  findings: [
    {
      ...{ code: 'record-damaged', severity: 'broken', what: 'The file is damaged.', where: '/data/jobs.json' },
      ...{ cause: 'Power was lost.', repair: { kind: 'when-closed' } },
    },
    {
      ...{ code: 'hub-offline', severity: 'note', what: 'The app store does not answer.', where: 'the hub' },
      ...{ cause: null, repair: { kind: 'by-hand', how: 'Check the network.' } },
    },
  ],
};

test('each part says so where there is nothing', async () => {
  const { createdAt, version, parts } = await problemReport(nothing, unmasked);
  expect({ createdAt, version }).toEqual({ createdAt: AT, version: '1.2.3' });
  expect(parts).toEqual([
    { id: 'system', title: 'Versions and system', text: '', isIncluded: true },
    { id: 'apps', title: 'Installed apps', text: 'None is installed.\n', isIncluded: true },
    {
      ...{ id: 'check', title: 'Check of the installation', isIncluded: true },
      text: 'The installation has not been checked since the daemon started.\n',
    },
    { id: 'jobs', title: 'Last jobs', text: 'There was none.\n', isIncluded: true },
    { id: 'runs', title: 'Last runs of apps', text: 'There was none.\n', isIncluded: true },
    { id: 'log', title: 'Log of the daemon', text: 'It is empty.\n', isIncluded: true },
  ]);
  expect((await textsOf({ log: null }))['log']).toMatch(/^No daemon answers\./);
});

test('jobs, runs and findings are told with why they failed', async () => {
  const system = [
    ['Node', '24'],
    ['system', 'linux'],
  ] as const;
  const apps = [{ name: 'wave', version: '1.0', source: { kind: 'folder', path: '/apps/wave' } }] as const;
  const log = ['10:00:00.000 info  one\n', '10:00:01.000 warn  two\n'];
  expect(await textsOf({ system, apps, check, jobs: [job], runs: [run], log })).toEqual({
    system: 'Node    24\nsystem  linux\n',
    apps: 'wave 1.0, from /apps/wave\n',
    check: `Checked at ${AT}.

Python     3.12.4
installer  uv

broken: The file is damaged.
    record-damaged, /data/jobs.json
    Likely cause: Power was lost.
    Repair: robot-daemon doctor --fix, while no daemon runs
note: The app store does not answer.
    hub-offline, the hub
    Check the network.
`,
    jobs: `${AT} to ${AT}: install-app /home/ada/wave (wave), failed
    build: It cannot be built. Ask its author.
    | error: no setup
`,
    runs: `${AT} to ${AT}: wave 1.0, crashed, exit code 1
    wave crashed.
    exception: It divides by zero. Ask its author.
    at wave/main.py:7: 1 / 0
    | ZeroDivisionError
`,
    log: 'The newest entries, times in UTC.\n\n10:00:00.000 info  one\n10:00:01.000 warn  two\n',
  });
});

test('the last lines of an app that crashed are a part of their own, which its user chooses', async () => {
  const { parts } = await problemReport({ ...nothing, crashes: [{ run, lines: [line(1, 'Boom.')] }] }, unmasked);
  expect(parts.at(-1)).toEqual({
    ...{ id: 'output-wave', title: 'Last lines of wave, which crashed', isIncluded: false },
    text: `${AT} err Boom.\n`,
  });
});

test('everything is masked, and no character of a stranger reaches a terminal', async () => {
  const mask = (text: string) => text.replaceAll('ada', 'user');
  const lines = [line(1, 'ada\u001b[31m'), ...Array.from({ length: 2_000 }, (_, index) => line(index, 'of ada'))];
  const texts = await textsOf({ jobs: [job], crashes: [{ run, lines }] }, mask);
  expect(texts['jobs']).toContain('/home/user/wave');
  expect(texts['output-wave']).toMatch(/ err user\\u001b\[31m\n/);
  expect(JSON.stringify(texts)).not.toContain('ada');
});

test('a part keeps its end, whole lines of at most 256 KiB; of jobs and runs the newest twenty are there', async () => {
  const long = Array.from({ length: 5_000 }, (_, index) => `${index} ${'x'.repeat(100)}\n`);
  const jobs = Array.from({ length: 30 }, (_, index) => ({ ...job, subject: `job ${index}` }));
  const texts = await textsOf({ log: long, jobs });
  const { log = '', jobs: listed = '' } = texts;
  expect(log.length).toBeLessThanOrEqual(256 * 1024 + 40);
  expect(log).toMatch(/^\(The beginning is left out\.\)\n\d+ x{100}\n/);
  expect(log.endsWith(long.at(-1) ?? '')).toBe(true);
  expect(listed.match(/job \d+/g)).toEqual(Array.from({ length: 20 }, (_, index) => `job ${index}`));
});
