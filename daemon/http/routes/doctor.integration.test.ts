/** The doctor of a running daemon over real HTTP: its check is a job, and its report of a problem is masked. */
import { rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { InstallationCheck } from '../../contract/doctor/installation-check.ts';
import type { ProblemReport } from '../../contract/doctor/problem-report.ts';
import type { Job } from '../../contract/jobs.ts';
import { type CheckedDaemon, startCheckedDaemon } from '../../testing/daemon/checked-daemon.ts';
import { newDataDir } from '../../testing/daemon/test-daemon.ts';

let dataDir: string;
let checked: CheckedDaemon;

beforeAll(async () => {
  dataDir = await newDataDir([]);
  // Else the check would load the graphics driver of the machine that runs this test.
  await writeFile(join(dataDir, 'graphics-cards.json'), '{"isOn":false,"found":null,"failure":null}');
  checked = await startCheckedDaemon({ dataDir, logLevel: 'info' });
});
afterAll(async () => {
  await checked?.[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

const last = async (): Promise<InstallationCheck | null> => (await checked.ask('GET', '/api/doctor')).body.check;

async function checkNow(): Promise<Job> {
  const { status, body } = await checked.ask('POST', '/api/doctor/check');
  expect({ status, kind: body.kind }).toEqual({ status: 202, kind: 'check-installation' });
  return checked.daemon.jobEnd(body.id);
}

test('before the first check there is no result', async () => {
  expect(await last()).toBeNull();
});

test('a check finds a damaged record, which is repaired once no daemon runs, and no file that the daemon writes', async () => {
  await writeFile(join(dataDir, 'notifications.json'), '{"notices":');
  expect(await checkNow()).toMatchObject({ state: 'done', failure: null });
  const check = await last();
  const codes = ['record-damaged', 'half-written'];
  expect(check?.findings.filter(({ code }) => codes.includes(code))).toEqual([
    {
      ...{ code: 'record-damaged', severity: 'broken', where: join(dataDir, 'notifications.json') },
      what: expect.stringMatching(/^The file is damaged \(/),
      cause: 'Power was lost, the disk was full, or another program wrote into the file.',
      repair: { kind: 'when-closed' },
    },
  ]);
  expect(check?.facts).toContainEqual({ name: 'daemon', text: `process ${process.pid} at ${checked.daemon.url}/` });
});

test('a check is cancelled, and the result of the one before stays', async () => {
  const before = await last();
  const { body } = await checked.ask('POST', '/api/doctor/check');
  await checked.ask('POST', `/api/jobs/${body.id}/cancel`, { token: null });
  expect(await checked.daemon.jobEnd(body.id)).toMatchObject({ state: 'cancelled', failure: null });
  expect(await last()).toEqual(before);
});

test('nobody sees the result or the report, or starts a check, without the right to deploy everywhere; no other site does', async () => {
  const some = await checked.newToken({ namespaces: ['lab'] });
  for (const [method, path] of [
    ['GET', '/api/doctor'],
    ['POST', '/api/doctor/check'],
    ['GET', '/api/problem-report'],
  ] as const) {
    expect((await checked.ask(method, path, { token: null })).status).toBe(401);
    expect((await checked.ask(method, path, { token: some })).status).toBe(403);
    const headers = { origin: 'https://other.example', 'sec-fetch-site': 'cross-site' };
    expect((await checked.ask(method, path, { headers })).status).toBe(403);
  }
});

test('a report has the log, the jobs and the check, and no home folder', async () => {
  const { status, body } = await checked.ask('GET', '/api/problem-report');
  expect(status).toBe(200);
  const report: ProblemReport = body;
  expect(report.parts.map(({ id, isIncluded }) => [id, isIncluded])).toEqual(
    ['system', 'apps', 'check', 'jobs', 'runs', 'log'].map((id) => [id, true]),
  );
  const text = (id: string) => report.parts.find((part) => part.id === id)?.text;
  expect(text('system')).toContain('Robot Desktop  0.0.0-test\n');
  expect(text('check')).toContain('broken: The file is damaged');
  expect(text('jobs')).toContain('check-installation this installation, done\n');
  expect(text('log')).toMatch(/^\d\d:\d\d:\d\d\.\d{3} info {2}jobs: check-installation this installation done$/m);
  expect(JSON.stringify(report)).not.toContain(`${homedir()}/`);
});
