/** A sample with a settings page: installed, started, and set so that the robot follows. */
import type { Job } from '../daemon/contract/jobs.ts';
import { card, type Daemon, expect, test } from './fixtures.ts';

test.use({ daemonOptions: { name: 'look-around' } });

test('look_around is installed and started, and the robot turns faster when its speed is set higher', async ({
  page,
  open,
  daemon,
}) => {
  await open('#/apps?tab=samples');
  const sample = card(page, 'Look around');
  await expect(sample).toContainText('needs the network to install');
  await sample.getByRole('button', { name: 'Install Look around' }).click();
  const { failure } = await installed(daemon);
  test.skip(
    failure?.reason === 'network',
    'SKIPPED: look_around needs FastAPI, and the package index cannot be reached',
  );
  expect(failure).toBeNull();

  await sample.getByRole('button', { name: 'Start Look around' }).click();
  const link = sample.getByRole('link', { name: 'Settings of Look around' });
  const [settings] = await Promise.all([page.waitForEvent('popup'), link.click()]);
  await expect(settings.getByRole('heading', { name: 'Look around' })).toBeVisible();

  const speed = settings.getByRole('slider', { name: 'How fast' });
  await speed.fill('2');
  await expect(settings.getByText('Saved')).toBeVisible();
  await expect.poll(() => topYawSpeed(daemon)).toBeLessThan(SLOW_RAD_S);
  await speed.fill('20');
  await expect.poll(() => topYawSpeed(daemon)).toBeGreaterThan(FAST_RAD_S);

  await sample.getByRole('button', { name: 'Stop Look around' }).click();
  await expect(sample).toContainText('ready');
  await expect(settings.getByText('Look around has stopped.')).toBeVisible();
});

/** 30° to each side, 2 rounds a minute: at most 0.52 rad · 2π · 2/60 s = 0.11 rad/s; at 20 a minute ten times that. */
const [SLOW_RAD_S, FAST_RAD_S] = [0.2, 0.6];

async function installed(daemon: Daemon): Promise<Job> {
  const newest = async () => (await daemon.jobs())[0];
  await expect.poll(async () => (await newest())?.endedAt ?? null, { timeout: 120_000 }).not.toBeNull();
  return (await newest()) as Job;
}

/** The highest yaw speed of the head over 1.5 s, in rad/s. */
async function topYawSpeed(daemon: Daemon): Promise<number> {
  const speeds: number[] = [];
  let before: { yawRad: number; timeS: number } | null = null;
  for (let sample = 0; sample < 15; sample += 1) {
    const { pose } = await daemon.robot();
    const now = { yawRad: Math.atan2(pose.head[4] ?? 0, pose.head[0] ?? 1), timeS: pose.timeS };
    if (before && now.timeS > before.timeS)
      speeds.push(Math.abs(now.yawRad - before.yawRad) / (now.timeS - before.timeS));
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return Math.max(...speeds);
}
