/** Moves beside streams of targets: real Python, the real SDK, every combination of parts, 10 to 100 targets a second. */
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { projectDir, startTestDaemon, type TestDaemon } from '../testing/daemon/test-daemon.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon({ wakeUpOnStart: true });
  await vi.waitFor(async () => expect((await daemon.robot()).state).toBe('awake'));
});
afterAll(() => daemon?.[Symbol.asyncDispose]());

/** Runs a program with the SDK. @returns what it printed */
async function python(source: string): Promise<string> {
  const { stdout } = await execa('python3', ['-u', '-c', prelude + source], {
    env: {
      PYTHONPATH: join(projectDir, 'assets', 'python-sdk'),
      PYTHONDONTWRITEBYTECODE: '1',
      ROBOT_DAEMON_URL: daemon.url,
    },
    timeout: 110_000, // less than that of a test, so that its output is reported
  });
  return stdout;
}

const prelude = `
import contextlib, itertools, logging, math, threading, time
from robot import *

logged = []
logging.getLogger("robot").addHandler(type("Log", (logging.Handler,), {
    "emit": lambda self, record: logged.append(record.getMessage())})())
robot = Robot()
PARTS = ("head", "antennas", "body_yaw")
SETS = [parts for size in (1, 2, 3) for parts in itertools.combinations(PARTS, size)]

def target(parts, size):
    values = {"head": create_head_pose(yaw=size, degrees=False), "antennas": [size, -size], "body_yaw": size / 2}
    return {part: values[part] for part in parts}

def measured():
    (body, *_), antennas = robot.get_current_joint_positions()
    pose = robot.get_current_head_pose()
    return {"head": math.atan2(pose[1][0], pose[0][0]), "antennas": antennas[0], "body_yaw": body * 2}

@contextlib.contextmanager
def streaming(hertz, **parts):
    """Streams targets from a thread; yields the times at which they were sent."""
    over = threading.Event()
    sent = []
    def stream():
        while True:
            robot.set_target(**parts)
            sent.append(time.monotonic())
            if over.wait(1 / hertz):
                return
    thread = threading.Thread(target=stream)
    thread.start()
    try:
        yield sent
    finally:
        over.set()
        thread.join()

def comes_true(is_true):
    deadline = time.monotonic() + 20
    while not is_true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.005)
    return True
`;

test('a move of any parts ends at its target beside a stream of any parts, which has the others', async () => {
  const text = await python(`
def is_moving(parts, size):
    """Whether a move owns the parts: the daemon answers when it has read all targets sent before."""
    try:
        robot.goto_target(**{"body_yaw": None, **target(parts, size)}, duration=0.05, if_busy="refuse")
    except RobotBusy:
        return True
    return False

LATE = "the last target of the stream came after the end of the move"

def trouble(moved, streamed, size, hertz):
    ends = []
    move = lambda: ends.append(robot.goto_target(**{"body_yaw": None, **target(moved, size)}, duration=0.2))
    thread = threading.Thread(target=move)
    with streaming(hertz, **target(streamed, -size)):
        began = time.monotonic()
        thread.start()
        time.sleep(0.08)
    is_late = not is_moving(moved, size)
    thread.join()
    took = time.monotonic() - began
    if is_late:
        return LATE
    # A move begins with the daemon's last turn, which lies back further on a busy machine.
    if ends != [("done", ())] or took < 0.1:
        return (ends, took)
    wanted = {part: -size for part in streamed} | {part: size for part in moved}
    arrived = lambda: all(abs(measured()[part] - angle) < 0.03 for part, angle in wanted.items())
    return None if comes_true(arrived) else measured()

size = 0.3
for index, (moved, streamed) in enumerate(itertools.product(SETS, SETS)):
    size = -size
    # On a busy machine the stream may be too late to say anything: once more.
    while (found := trouble(moved, streamed, size, (10, 25, 50, 100)[index % 4])) == LATE:
        pass
    if found:
        print(moved, "beside", streamed, found)
print(sorted(logged))
`);
  expect(text).toBe(
    `[${['antennas', 'body', 'head']
      .map(
        (part) =>
          `'The daemon dropped a target: Targets for the ${part} are dropped until the robot has finished moving.'`,
      )
      .join(', ')}]`,
  );
});

test('the default of the body yields to a stream of it and to a move of it, without a word', async () => {
  const text = await python(`
def least_yaw(move, sent):
    """The least yaw of the streamed body during a move, how the move ended, and the longest pause of the stream."""
    ends = []
    moving = threading.Thread(target=lambda: ends.append(robot.goto_target(**move, duration=0.4)))
    before = len(sent) - 1
    least, state, seen, pause = 9.0, None, time.monotonic(), 0.0
    moving.start()
    while moving.is_alive():
        least = min(least, measured()["body_yaw"] / 2)
        if robot._link.state is not state:
            state, last, seen = robot._link.state, seen, time.monotonic()
            pause = max(pause, seen - last)
        time.sleep(0.002)
    times = sent[before:]
    return least, str(ends[0]), pause + max(later - earlier for earlier, later in zip(times, times[1:]))

# A stream whose targets are more than 0.15 s apart has ended, and says nothing. The daemon may be as late as its states.
for hertz in (10, 100):
    with streaming(hertz, body_yaw=0.4) as sent:
        for move in ({"head": create_head_pose(yaw=15)}, {"antennas": [0.3, -0.3]}, {"head": create_head_pose()}):
            least, pause = 0.0, 1.0
            while least < 0.39 and pause > 0.15:
                comes_true(lambda: sent and abs(measured()["body_yaw"] - 0.8) < 0.01)
                least, end, pause = least_yaw(move, sent)
            print(end if least >= 0.39 else (least, pause))
turning = threading.Thread(target=lambda: print(robot.goto_target(body_yaw=-0.4, duration=0.8)))
turning.start()
time.sleep(0.2)
print(robot.goto_target(create_head_pose(yaw=-15), duration=0.3, if_busy="refuse"))
turning.join()
time.sleep(0.3)
print(round(measured()["body_yaw"] / 2, 1))
robot.goto_target(antennas=[0, 0], duration=0.3)
time.sleep(0.3)
print(abs(round(measured()["body_yaw"], 1)), logged)
`);
  const done = "MoveEnd(outcome='done', lost=())";
  expect(text.split('\n')).toEqual([...Array.from({ length: 8 }, () => done), '-0.4', '0.0 []']);
});

test('a later move takes the parts that it shares, and each of them says how it ended', async () => {
  const text = await python(`
ends = {}
sent = threading.Semaphore(0)
connection = robot._link._connection
send = connection._send
connection._send = lambda message: (send(message), sent.release())

def move(name, **arguments):
    def run():
        try:
            ends[name] = robot.goto_target(**arguments)
        except RobotBusy as error:
            ends[name] = error
    thread = threading.Thread(target=run)
    thread.start()
    assert sent.acquire(timeout=20)
    return thread
threads = [
    move("all", head=create_head_pose(yaw=20), antennas=[1, -1], body_yaw=0.3, duration=1),
    move("antennas", antennas=[0, 0], duration=1.2),
    move("refused", antennas=[0, 0], head=create_head_pose(), if_busy="refuse"),
    move("body", antennas=[0.2, -0.2], body_yaw=0.0, duration=0.5),
]
for thread in threads:
    thread.join()
for name in sorted(ends):
    print(name, ends[name])
`);
  expect(text.split('\n')).toEqual([
    "all MoveEnd(outcome='done', lost=('antennas', 'body_yaw'))",
    "antennas MoveEnd(outcome='replaced', lost=())",
    "body MoveEnd(outcome='done', lost=())",
    'refused The robot is busy moving. Wait until it has finished, or replace the motion.',
  ]);
});
