/** The addresses of another daemon that apps call, over real HTTP and from inside of a real app. */
import { mkdtempDisposable, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { writeAppPackage } from '../../testing/apps/app-packages.ts';
import { fixtureApp, newDataDir, startTestDaemon, type TestDaemon } from '../../testing/daemon/test-daemon.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon?.[Symbol.asyncDispose]());

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
const running = async () => (await daemon.get('/api/move/running')).body;
const idle = () => vi.waitFor(async () => expect(await running()).toEqual([]), { timeout: 10_000 });

test('a robot is woken, moved, read and put to sleep with the shapes of the other daemon', async () => {
  expect(await daemon.get('/api/motors/status')).toEqual({ status: 200, body: { mode: 'disabled' } });
  const waking = await daemon.post('/api/move/play/wake_up');
  expect(waking).toEqual({ status: 200, body: { uuid } });
  expect(await running()).toEqual([waking.body]);
  await idle();
  expect(await daemon.get('/api/motors/status')).toEqual({ status: 200, body: { mode: 'enabled' } });

  const goto = {
    head_pose: { z: 0.01, yaw: 0.2 },
    antennas: [0.5, -0.5],
    duration: 0.3,
    interpolation: 'linear',
    x: 1,
  };
  expect(await daemon.post('/api/move/goto', goto)).toEqual({ status: 200, body: { uuid } });
  await idle();
  await vi.waitFor(async () => {
    const { body } = await daemon.get('/api/state/full');
    expect(body).toEqual({
      control_mode: 'enabled',
      head_pose: {
        ...{ x: expect.closeTo(0, 2), y: expect.closeTo(0, 2), z: expect.closeTo(0.01, 2) },
        ...{ roll: expect.closeTo(0, 1), pitch: expect.closeTo(0, 1), yaw: expect.closeTo(0.2, 1) },
      },
      head_joints: null,
      body_yaw: expect.closeTo(0, 1),
      antennas_position: [expect.closeTo(0.5, 1), expect.closeTo(-0.5, 1)],
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });
  const query = '?with_control_mode=false&with_body_yaw=0&with_head_joints=True&use_pose_matrix=1';
  const { body } = await daemon.get(`/api/state/full${query}`);
  expect(body).toMatchObject({ control_mode: null, body_yaw: null, head_pose: { m: { length: 16 } } });
  expect(body).toMatchObject({ head_joints: { length: 7 } });

  const target = {
    target_head_pose: { m: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0.005, 0, 0, 0, 1] },
    target_body_yaw: 0.1,
  };
  expect(await daemon.post('/api/move/set_target', target)).toEqual({ status: 200, body: { status: 'ok' } });
  expect(await daemon.post('/api/motors/set_mode/disabled')).toMatchObject({ status: 200 });
  expect(await daemon.get('/api/motors/status')).toEqual({ status: 200, body: { mode: 'disabled' } });
  expect(await daemon.post('/api/motors/set_mode/enabled')).toMatchObject({ status: 200 });
  expect(await daemon.post('/api/motors/set_mode/gravity_compensation')).toMatchObject({ status: 200 });
  expect(await daemon.get('/api/motors/status')).toEqual({ status: 200, body: { mode: 'gravity_compensation' } });
  expect(await daemon.post('/api/move/play/goto_sleep')).toEqual({ status: 200, body: { uuid } });
  await idle();
  expect((await daemon.robot()).state).toBe('asleep');
});

test('a target for parts that a motion owns is ignored, and the motion is stopped by its id', async () => {
  await daemon.post('/api/robot/wake-up');
  const { body: move } = await daemon.post('/api/move/goto', { antennas: [1, -1], duration: 30 });
  expect(await daemon.post('/api/move/set_target', { target_antennas: [0, 0] })).toEqual({
    status: 200,
    body: { status: 'ignored', reason: 'move_running' },
  });
  expect(await daemon.post('/api/move/set_target', { target_antennas: [0, 0], target_body_yaw: 0.1 })).toEqual({
    status: 200,
    body: { status: 'ok' },
  });
  expect(await daemon.post('/api/move/stop', { uuid: '0b2f8a3e-5f5d-4c56-9d0f-3f0e3f0b8a11' })).toEqual({
    status: 404,
    body: { error: 'No such motion is under way. It may have ended.' },
  });
  expect(await daemon.post('/api/move/stop', move)).toEqual({ status: 200, body: { message: 'Stopped.' } });
  await idle();
  expect(await daemon.post('/api/move/stop', move)).toMatchObject({ status: 404 });
});

test('a motion that cannot begin is refused at once, and bad input names its fault', async () => {
  expect(await daemon.post('/api/move/goto', { head_pose: { z: 0.3 }, duration: 1 })).toMatchObject({ status: 422 });
  for (const body of [
    {},
    { antennas: [1], duration: 1 },
    { antennas: [0, 0], duration: 0 },
    { antennas: [0, 0], duration: 601 },
    { antennas: [0, 0], interpolation: 'teleport' },
    { head_pose: { m: [1, 2] } },
    { head_pose: { x: 'far' } },
  ]) {
    expect(await daemon.post('/api/move/goto', body)).toMatchObject({
      status: 400,
      body: { issues: expect.any(Array) },
    });
  }
  expect((await daemon.post('/api/motors/set_mode/limp')).status).toBe(400);
  expect((await daemon.post('/api/move/stop', { uuid: 'x' })).status).toBe(400);
  expect((await daemon.get('/api/state/full?with_body_yaw=perhaps')).status).toBe(400);
  await daemon.post('/api/robot/sleep');
  expect(await daemon.post('/api/move/goto', { antennas: [0, 0], duration: 1 })).toEqual({
    status: 503,
    body: { error: 'The robot is asleep. Wake it first.' },
  });
  expect(await running()).toEqual([]);
});

test('each part of the state has an address of its own', async () => {
  await daemon.post('/api/robot/wake-up');
  await daemon.post('/api/robot/goto', { antennas: [0.4, -0.3], bodyYaw: 0.2, durationS: 0.3 });
  await vi.waitFor(async () => {
    expect((await daemon.get('/api/state/present_antenna_joint_positions')).body).toEqual([
      expect.closeTo(0.4, 1),
      expect.closeTo(-0.3, 1),
    ]);
  });
  expect((await daemon.get('/api/state/present_body_yaw')).body).toBeCloseTo(0.2, 1);
  const { body: pose } = await daemon.get('/api/state/present_head_pose');
  expect(Object.keys(pose).sort()).toEqual(['pitch', 'roll', 'x', 'y', 'yaw', 'z']);
  const matrix = await daemon.get('/api/state/present_head_pose?use_pose_matrix=true');
  expect(matrix.body).toEqual({ m: expect.objectContaining({ length: 16 }) });
  expect((await daemon.get('/api/state/present_head_pose?use_pose_matrix=perhaps')).status).toBe(400);
  expect(await daemon.get('/api/state/doa')).toEqual({ status: 200, body: null });
});

test('the installed apps and the one that runs are reported in the shapes of the other daemon', async () => {
  await daemon.install(fixtureApp('polite'));
  const info = {
    name: 'polite',
    source_kind: 'installed',
    description: expect.any(String),
    url: null,
    extra: { custom_app_url: null },
  };
  expect((await daemon.get('/api/apps/list-available/installed')).body).toContainEqual(info);
  await daemon.post('/api/apps/start-app/polite');
  await vi.waitFor(async () =>
    expect((await daemon.get('/api/apps/current-app-status')).body).toEqual({ info, state: 'running', error: null }),
  );
  await daemon.post('/api/apps/stop-current-app');
  expect(await daemon.get('/api/apps/current-app-status')).toEqual({ status: 200, body: null });
});

test("the robot's own moves are listed and played, whatever the dataset", async () => {
  await daemon.post('/api/robot/wake-up');
  const { body: names } = await daemon.get('/api/move/recorded-move-datasets/list/maker/emotions');
  expect(names).toContain('cheerful1');
  const path = '/api/move/play/recorded-move-dataset/maker/emotions';
  expect(await daemon.post(`${path}/cheerful1`)).toEqual({ status: 200, body: { uuid } });
  expect(await daemon.robot()).toMatchObject({ move: 'cheerful1' });
  expect((await daemon.post(`${path}/no-such-move`)).status).toBe(404);
  await daemon.post('/api/robot/stop');
  await idle();
});

test('the volume is set, kept over a restart, and refused out of its range', async () => {
  const dataDir = await newDataDir();
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const first = await startTestDaemon({ dataDir });
  expect((await first.get('/api/volume/current')).body).toMatchObject({ volume: 100, platform: expect.any(String) });
  expect(await first.post('/api/volume/set', { volume: 35 })).toMatchObject({ status: 200, body: { volume: 35 } });
  for (const volume of [-1, 101, 3.5, '50', null]) {
    expect((await first.post('/api/volume/set', { volume })).status).toBe(400);
  }
  await first.stop();
  await using second = await startTestDaemon({ dataDir });
  expect((await second.get('/api/volume/current')).body).toMatchObject({ volume: 35 });
});

const callsInside = `
import json
import os
import subprocess
import sys
import urllib.request

from robot import RobotApp

CALL = """
import json, sys, urllib.error, urllib.request
url, body = sys.argv[1], sys.argv[2].encode() if len(sys.argv) > 2 else b""
request = urllib.request.Request(url, body, {"Content-Type": "application/json"}, method="POST")
try:
    print(urllib.request.urlopen(request, timeout=10).status)
except urllib.error.HTTPError as refused:
    print(refused.code)
"""


def call(path, body, **options):
    arguments = [sys.executable, "-c", CALL, os.environ["ROBOT_DAEMON_URL"] + path, json.dumps(body)]
    return subprocess.run(arguments, capture_output=True, text=True, **options).stdout.strip()


class Calls(RobotApp):
    def run(self, robot, stop_event):
        url = os.environ["ROBOT_DAEMON_URL"] + "/api/move/goto"
        body = json.dumps({"antennas": [0.4, -0.4], "duration": 0.1}).encode()
        request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
        print("own", urllib.request.urlopen(request, timeout=10).status, flush=True)
        print("child", call("/api/robot/goto", {"antennas": [0.2, -0.2], "durationS": 0.1}), flush=True)
        print("session", call("/api/move/set_target", {"target_body_yaw": 0.1}, start_new_session=True), flush=True)
        print("awake", call("/api/move/play/wake_up", {}), flush=True)
        print("bare", call("/api/move/goto", {"antennas": [0, 0]}, env={"ROBOT_DAEMON_URL": ""}), flush=True)
        stop_event.wait()


if __name__ == "__main__":
    app = Calls()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
`;

test.skipIf(process.platform === 'win32')(
  'the running app and its children move the robot over HTTP too, while other programs are refused',
  async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'robot-desktop-'));
    const app = { name: 'calls_inside', className: 'Calls', mainSource: callsInside };
    await daemon.install(await writeAppPackage(folder.path, app));
    await daemon.post('/api/apps/start-app/calls_inside');
    await vi.waitFor(async () => expect((await daemon.output()).length).toBe(5), { timeout: 30_000 });
    expect(await daemon.output()).toEqual(['own 200', 'child 200', 'session 200', 'awake 200', 'bare 200']);

    for (const [path, body] of [
      ['/api/move/goto', { antennas: [0, 0], duration: 1 }],
      ['/api/move/set_target', { target_antennas: [0, 0] }],
      ['/api/move/play/recorded-move-dataset/maker/emotions/cheerful1', undefined],
      ['/api/move/play/wake_up', undefined],
      ['/api/move/play/goto_sleep', undefined],
      ['/api/motors/set_mode/disabled', undefined],
      ['/api/robot/goto', { antennas: [0, 0], durationS: 1 }],
    ] as const) {
      const { status, body: refusal } = await daemon.post(path, body);
      expect([path, status, refusal]).toEqual([path, 409, { error: expect.stringContaining('calls_inside') }]);
    }
    await daemon.post('/api/apps/stop-current-app');
    expect((await daemon.post('/api/move/goto', { antennas: [0, 0], duration: 0.1 })).status).toBe(200);
  },
);

test.skipIf(process.platform === 'win32')('a program is not taken for an app that has ended', async () => {
  await daemon.install(fixtureApp('polite'));
  await daemon.post('/api/apps/start-app/polite');
  const refused = await fetch(`${daemon.url}/api/robot/goto`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-robot-run-token': 'f'.repeat(32) },
    body: JSON.stringify({ antennas: [0, 0], durationS: 0.1 }),
  });
  expect(refused.status).toBe(409);
  await daemon.post('/api/apps/stop-current-app');
});
