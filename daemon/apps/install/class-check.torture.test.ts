import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { copyOf } from '../../testing/apps/installer-cases.ts';
import { startTestDaemon } from '../../testing/daemon/test-daemon.ts';

test('a class that is no app is refused before anything is fetched, and an app of the same package is not', async () => {
  await using daemon = await startTestDaemon();
  const work = await mkdtemp(join(tmpdir(), 'robot-desktop-class-'));
  onTestFinished(() => rm(work, { recursive: true }));
  const noApp = await copyOf('own_page', {
    'own_page/main.py': (text) => text.replace('OwnPage(RobotApp)', 'OwnPage'),
    'pyproject.toml': (text) => text.replace('"robot-sdk"]\n\n', '"a-package-that-is-on-no-index"]\n\n'),
  });
  const job = await daemon.install(noApp);
  expect(job.failure).toMatchObject({
    reason: 'not-an-app',
    message: 'OwnPage in own_page.main is not a subclass of robot.RobotApp.',
    action: 'Correct the entry point or the class.',
  });
  expect(job.steps.map(({ name, state }) => `${name} ${state}`)).toContain('check failed');
  expect(job.steps.find(({ name }) => name === 'build')?.state).toBe('pending');
  expect(await daemon.traces()).toEqual([]);
  expect(await daemon.install(await copyOf('own_page'))).toMatchObject({ state: 'done' });
});
