/** Moves that programs play: real Python, the real SDK, the simulated robot. */
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { writeAppPackage } from '../testing/apps/app-packages.ts';
import { projectDir, startTestDaemon, type TestDaemon } from '../testing/daemon/test-daemon.ts';

let daemon: TestDaemon;
const scripts: { kill(signal: 'SIGKILL'): boolean }[] = [];
beforeAll(async () => {
  daemon = await startTestDaemon({ wakeUpOnStart: true });
  await vi.waitFor(async () => expect((await daemon.robot()).state).toBe('awake'));
});
afterAll(() => daemon?.[Symbol.asyncDispose]());
afterEach(async () => {
  for (const script of scripts.splice(0)) script.kill('SIGKILL');
  await vi.waitFor(async () => expect((await daemon.slot()).state).toBe('free'));
});

const prelude = `
import asyncio, json, math, signal, sys, threading, time
from robot import *
from robot.motion.move import Move
from robot.motion.recorded_move import RecordedMove, RecordedMoves

def antennas(robot):
    return [round(float(a), 2) for a in robot.get_current_joint_positions()[1]]

def sweep(seconds, angle=0.6):
    targets = [{"antennas": [angle * at / 50, -angle * at / 50]} for at in range(51)]
    return RecordedMove({"time": [seconds * at / 50 for at in range(51)], "set_target_data": targets})

class Wave(Move):
    duration = math.inf
    def evaluate(self, t):
        return None, [0.5 * math.sin(6 * t), 0.0], None
`;

function startPython(source: string) {
  const script = execa('python3', ['-u', '-c', `${prelude}\n${source}`], {
    env: {
      PYTHONPATH: join(projectDir, 'assets', 'python-sdk'),
      PYTHONDONTWRITEBYTECODE: '1',
      ROBOT_DAEMON_URL: daemon.url,
    },
    all: true,
    stripFinalNewline: false,
    reject: false,
  });
  scripts.push(script);
  return script;
}
const python = async (source: string) => (await startPython(source)).all;

test('a recorded move is played whole, after a motion to its begin, and ends in time', async () => {
  const text = await python(`
with Robot() as robot:
    robot.set_target(antennas=[-0.5, 0.5])
    time.sleep(0.5)
    before = time.monotonic()
    end = robot.play_move(sweep(1), initial_goto_duration=0.5)
    took = time.monotonic() - before
    time.sleep(0.2)
    print(end, took >= 1.45, antennas(robot), robot.clamped)
`);
  expect(text).toBe("MoveEnd(outcome='done', lost=()) True [0.6, -0.6] ()\n");
});

test("each of the robot's own moves is accepted, and one of each kind plays without a clamp", async () => {
  const text = await python(`
with Robot() as robot:
    own = RecordedMoves()
    for name in ("surprised1", "dance5"):
        print(robot.play_move(own.get(name), 100, 0.3).outcome, robot.clamped, robot.speed_limited)
    for name in own.list_moves():
        threading.Timer(0.15, robot.cancel_move).start()
        print(name, robot.play_move(own.get(name)).outcome)
        time.sleep(0.1)
`);
  expect(text).toMatch(/^done \(\) False\ndone \(\) False\n(?:\w+1 stopped\n|dance[1-5] stopped\n){15}$/);
});

test('a cancel stops a recorded move and a streamed one at once, and the robot stays there', async () => {
  const text = await python(`
with Robot() as robot:
    for move in (sweep(20, 2), Wave()):
        ends = []
        thread = threading.Thread(target=lambda: ends.append(robot.play_move(move)))
        thread.start()
        time.sleep(0.7)
        before = time.monotonic()
        robot.cancel_move()
        thread.join()
        took = time.monotonic() - before
        time.sleep(0.3)
        there = antennas(robot)
        time.sleep(0.3)
        print(ends[0].outcome, took < 0.3, antennas(robot) == there)
`);
  expect(text).toBe('stopped True True\nstopped True True\n');
});

test('other motions take parts of a recorded move, and it goes on with the rest', async () => {
  const text = await python(`
both = RecordedMove({
    "time": [0, 1.5],
    "set_target_data": [
        {"head": create_head_pose(yaw=a), "antennas": [0, 0]} for a in (0, 10)
    ],
})
with Robot() as robot:
    ends = []
    thread = threading.Thread(target=lambda: ends.append(robot.play_move(both)))
    thread.start()
    time.sleep(0.3)
    print(robot.goto_target(antennas=[0.4, -0.4], duration=0.2, body_yaw=None).outcome)
    thread.join()
    print(ends, antennas(robot))
`);
  expect(text).toBe("done\n[MoveEnd(outcome='done', lost=('antennas',))] [0.4, -0.4]\n");
});

test('Ctrl-C during a move stops the robot, in a thread and in a coroutine', async () => {
  for (const play of ['robot.play_move(sweep(20))', 'asyncio.run(robot.async_play_move(sweep(20)))']) {
    const script = startPython(`
with Robot() as robot:
    print("plays", flush=True)
    try:
        ${play}
    except KeyboardInterrupt:
        there = antennas(robot)
        time.sleep(0.5)
        print("interrupted", robot.state, abs(antennas(robot)[0] - there[0]) < 0.02)
`);
    await vi.waitFor(() => expect(script.nodeChildProcess.exitCode).toBeNull());
    await new Promise<void>((resolve) => script.all.once('data', () => setTimeout(resolve, 600)));
    script.kill('SIGINT');
    expect((await script).all).toBe('plays\ninterrupted awake True\n');
  }
});

test('ten minutes at 100 Hz are accepted', async () => {
  const text = await python(`
target = {"head": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0.001], [0, 0, 0, 1]], "antennas": [0.1, -0.1], "body_yaw": 0}
move = RecordedMove({"time": [at / 100 for at in range(60000)], "set_target_data": [target] * 60000})
with Robot() as robot:
    def cancel():
        while antennas(robot) != [0.1, -0.1]:
            time.sleep(0.02)
        robot.cancel_move()
    threading.Thread(target=cancel, daemon=True).start()
    print(robot.play_move(move).outcome)
`);
  expect(text).toBe('stopped\n');
});

test('a head out of reach stays within it, and the rest of the move goes on', async () => {
  const text = await python(`
targets = [{"head": create_head_pose(z=z, mm=True), "antennas": [z / 100, 0]} for z in (0, 20, 20, 90)]
far = RecordedMove({"time": [0, 0.3, 0.8, 1.1], "set_target_data": targets})
with Robot() as robot:
    print(robot.play_move(far).outcome, [clamp.part for clamp in robot.clamped])
    time.sleep(0.2)
    print(antennas(robot)[0], robot.get_current_head_pose()[2][3] > 0.015)
`);
  expect(text.split('\n').slice(-3)).toEqual(["done ['head']", '0.9 True', '']);
});

const offline = `
import math

from robot import RobotApp
from robot.motion.recorded_move import RecordedMoves

LIBRARY = RecordedMoves("other-maker/emotions-library")


class Offline(RobotApp):
    def run(self, robot, stop_event):
        print(len(LIBRARY.list_moves()), robot.play_move(LIBRARY.get("surprised1")).outcome, flush=True)
        try:
            LIBRARY.get("surprise")
        except ValueError as error:
            print(error, flush=True)
        print("plays", flush=True)
        while not stop_event.is_set():
            print(robot.play_move(LIBRARY.get("tired1")), flush=True)


if __name__ == "__main__":
    app = Offline()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
`;

test('an installed app plays our own moves while the hub of the daemon cannot be reached, and stops in time', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'robot-desktop-'));
  const app = { name: 'offline', className: 'Offline', mainSource: offline };
  await daemon.install(await writeAppPackage(folder.path, app));
  await daemon.post('/api/apps/start-app/offline');
  await vi.waitFor(async () => expect(await daemon.output()).toContain('plays'), { timeout: 60_000 });
  const output = await daemon.output();
  expect(output.filter((line) => line.includes('The hub cannot be reached'))).toEqual([
    expect.stringMatching(/\(http:\/\/127\.0\.0\.1:9: .*The SDK's own moves take its place: cheerful1, confused1, /),
  ]);
  expect(output).toContain('15 done');
  expect(output.join('\n')).toContain("There is no move 'surprise' in the dataset other-maker/emotions-library");
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect((await daemon.post('/api/apps/stop-current-app')).body).toMatchObject({ lastRun: { outcome: 'stopped' } });
  expect((await daemon.output()).slice(-1)).toEqual(["MoveEnd(outcome='stopped', lost=())"]);
});
