import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { AppRun } from '../../contract/apps/runs.ts';
import { createLogger } from '../../shared/logger.ts';
import { appNamed, appsIn, haveInstalled } from '../../testing/apps/some-apps.ts';
import { judgeUpdate } from './update-trial.ts';

/** An app with two versions, the second on trial. */
async function setUp() {
  const folder = await mkdtemp(join(tmpdir(), 'apps-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const apps = await appsIn(folder);
  await haveInstalled(apps, appNamed('dance', { installedAt: '2026-01-01T00:00:00Z' }));
  await haveInstalled(apps, appNamed('dance', { version: '2.0', installedAt: '2026-01-02T00:00:00Z' }));
  const now = () => new Date('2026-01-03T00:00:00Z');
  const log = createLogger('error', () => {});
  return { apps, judge: (run: AppRun) => judgeUpdate(run, apps, { now, log }) };
}
const crash: AppRun = {
  runId: 'r',
  appName: 'dance',
  version: '2.0',
  startedAt: '2026-01-02T12:00:00Z',
  endedAt: '2026-01-02T12:00:02Z',
  outcome: 'crashed',
  exitCode: 1,
  signal: null,
  message: 'It crashed (exit code 1).',
  diagnosis: { cause: 'exception', message: 'A step is missing.', action: 'Ask.', ownLine: null, evidence: [] },
  killed: [],
};

test('an update that crashes in the first seconds of its first run is rolled back with a reason', async () => {
  const { apps, judge } = await setUp();
  await judge(crash);
  expect(apps.get('dance')).toMatchObject({
    version: '1.0',
    onTrial: false,
    rolledBack: {
      automatic: true,
      at: '2026-01-03T00:00:00.000Z',
      from: { version: '2.0' },
      reason: 'Version 2.0 ended 2 s after its first start. A step is missing.',
    },
  });
});

test.each<[string, Partial<AppRun>]>([
  ['lasted ten seconds before it crashed', { endedAt: '2026-01-02T12:00:10Z' }],
  ['was stopped', { outcome: 'stopped' }],
  ['finished', { outcome: 'finished', exitCode: 0 }],
  ['had to be killed at a stop', { outcome: 'killed' }],
])('an update whose run %s is approved', async (_, change) => {
  const { apps, judge } = await setUp();
  await judge({ ...crash, ...change, diagnosis: null });
  expect(apps.get('dance')).toMatchObject({ version: '2.0', onTrial: false, rolledBack: null });
  await judge(crash);
  expect(apps.get('dance').version).toBe('2.0');
});

test('a crash that does not depend on the version leaves the update on trial', async () => {
  const { apps, judge } = await setUp();
  for (const cause of ['robot-lost', 'port-in-use', 'network', 'endpoint-failed'] as const) {
    await judge({ ...crash, diagnosis: { ...(crash.diagnosis as object), cause } as AppRun['diagnosis'] });
    expect(apps.get('dance')).toMatchObject({ version: '2.0', onTrial: true });
  }
});

test('a run of another version, or from before the update, changes nothing', async () => {
  const { apps, judge } = await setUp();
  await judge({ ...crash, version: '1.0' });
  await judge({ ...crash, startedAt: '2026-01-01T23:00:00Z' });
  await judge({ ...crash, appName: 'gone' });
  expect(apps.get('dance')).toMatchObject({ version: '2.0', onTrial: true });
});
