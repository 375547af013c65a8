/** Looks at what the simulated camera shows: the real daemon, real Python, the real SDK. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test, vi } from 'vitest';
import { childEnvironment } from '../shared/processes/child-environment.ts';
import { projectDir, startTestDaemon } from '../testing/daemon/test-daemon.ts';
import { pythonFromIndex } from '../testing/python/python-from-index.ts';

/** For each ball 5 m away: from another pose to a look at its pixels, and how far from the image's centre it then is. */
const program = `
import json, math, time
import numpy
from robot import Robot, create_head_pose
from robot.media.scene import TARGETS

def pixel_of(ball):
    rows, columns = (robot.media.get_frame() == ball.colour).all(axis=2).nonzero()
    return float(columns.mean()), float(rows.mean())

def settle(pose):
    end_s = time.monotonic() + 5
    while numpy.abs(robot.get_current_head_pose() - pose).max() > 0.002 and time.monotonic() < end_s:
        time.sleep(0.02)

with Robot() as robot:
    off_deg = {}
    for ball in TARGETS[:3]:
        start = create_head_pose(yaw=8, pitch=6, roll=5, z=5, mm=True)
        robot.goto_target(head=start, duration=0.4)
        settle(start)
        settle(robot.look_at_image(*pixel_of(ball), duration=0.4))
        u, v = pixel_of(ball)
        focal_length = robot.media.camera.K[0][0]
        off_deg[ball.name] = math.degrees(math.atan(math.hypot(u - 320, v - 240) / focal_length))
    print(json.dumps(off_deg))
`;

test.for(['simulation', 'emulator'] as const)(
  'a look brings a ball 5 m away to the centre of the image, with the backend %s',
  { timeout: 100_000 },
  async (robot, context) => {
    const env = childEnvironment(process.env, randomUUID());
    const numpy = await pythonFromIndex('numpy', env);
    if ('missing' in numpy) {
      console.warn(`SKIPPED: the simulated camera needs numpy, which cannot be had: ${numpy.missing}`);
      return context.skip(numpy.missing);
    }
    await using daemon = await startTestDaemon({ robot, wakeUpOnStart: true });
    await vi.waitFor(async () => expect((await daemon.robot()).state).toBe('awake'), { timeout: 15_000, interval: 50 });
    const { stdout } = await execa(numpy.python, ['-B', '-c', program], {
      env: { ...env, PYTHONPATH: join(projectDir, 'assets', 'python-sdk'), ROBOT_DAEMON_URL: daemon.url },
      timeout: 60_000,
    });
    const degrees = Object.entries(JSON.parse(stdout) as Record<string, number>);
    expect(degrees.map(([name]) => name)).toEqual(['red', 'green', 'blue']);
    for (const [name, off] of degrees) expect.soft(off, name).toBeLessThan(1);
  },
);
