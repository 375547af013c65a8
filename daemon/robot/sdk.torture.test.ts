/** Programs started by hand, and their permission to move the robot: real Python, the real SDK. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { SdkReply, SdkRequest } from '../contract/robot/sdk.ts';
import { fixtureApp, projectDir, startTestDaemon, type TestDaemon } from '../testing/daemon/test-daemon.ts';

const examples = JSON.parse(readFileSync(join(projectDir, 'daemon', 'contract', 'robot', 'sdk-examples.json'), 'utf8'));
let daemon: TestDaemon;
const scripts: { kill(signal: 'SIGKILL'): boolean }[] = [];
beforeAll(async () => {
  daemon = await startTestDaemon({ wakeUpOnStart: true });
  await daemon.install(fixtureApp('polite'));
  await vi.waitFor(async () => expect((await daemon.robot()).state).toBe('awake'));
});
afterAll(() => daemon?.[Symbol.asyncDispose]());
afterEach(async () => {
  for (const script of scripts.splice(0)) script.kill('SIGKILL');
  await daemon.post('/api/apps/stop-current-app?force=true');
  await vi.waitFor(async () => expect((await daemon.slot()).state).toBe('free'));
});

/** Runs Python with the SDK. @returns what it printed, once it ended */
async function python(source: string): Promise<string> {
  return (await startPython(source)).all;
}
function startPython(source: string) {
  const script = execa('python3', ['-u', '-c', `import time\nfrom robot import *\n${source}`], {
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

test('the example messages of both sides match the contract', () => {
  for (const message of examples.requests) expect(SdkRequest.parse(message)).toEqual(message);
  for (const message of examples.replies) expect(SdkReply.parse(message)).toEqual(message);
});

test('a program started by hand moves the robot and reads its pose', { tags: ['smoke'] }, async () => {
  const text = await python(`
with Robot() as robot:
    robot.goto_target(head=create_head_pose(yaw=20, z=5, mm=True), antennas=[0.5, -0.5], duration=0.3, body_yaw=0.2)
    time.sleep(0.2)
    head7, antennas = robot.get_current_joint_positions()
    pose = robot.get_current_head_pose()
    print(round(float(head7[0]), 2), [round(float(a), 2) for a in antennas], round(float(pose[2][3]), 3), round(float(pose[1][0]), 2))
`);
  expect(text).toBe('0.2 [0.5, -0.5] 0.005 0.34\n');
});

test('while it moves the robot it holds the slot as a local app, until two seconds later or its end', async () => {
  const script = startPython(`
robot = Robot()
robot.set_target(antennas=[0.3, -0.3])
print("moved")
time.sleep(30)
`);
  await vi.waitFor(async () =>
    expect(await daemon.slot()).toMatchObject({ state: 'running', holder: { kind: 'local-app' } }),
  );
  const { status, body } = await daemon.post('/api/apps/start-app/polite');
  expect(status).toBe(409);
  expect(body.error).toMatch(
    /^An app is already running: ".+", a program on this machine that was not started here\. Stop it first\.$/,
  );
  expect((await daemon.post('/api/apps/stop-current-app')).body.error).toMatch(/cannot be stopped here/);
  await vi.waitFor(async () => expect((await daemon.slot()).state).toBe('free'), 5_000);
  expect(script.nodeChildProcess.exitCode).toBeNull();
  expect((await daemon.post('/api/apps/start-app/polite')).status).toBe(200);
});

test('while an app runs, other programs can read and not move', { tags: ['smoke'] }, async () => {
  await daemon.post('/api/apps/start-app/polite');
  await vi.waitFor(async () => expect(await daemon.output()).toContain('ready'));
  const text = await python(`
with Robot() as robot:
    print(len(robot.get_current_joint_positions()[0]))
    try:
        robot.goto_target(antennas=[0, 0], duration=0.2)
    except SlotTaken as error:
        print(error)
`);
  expect(text).toBe('7\nAn app is already running: "polite". Stop the current app first.\n');
  expect(await daemon.slot()).toMatchObject({ holder: { appName: 'polite' } });
});

test('a second Robot of the same program shares the robot with the first; another program does not', async () => {
  const text = await python(`
import subprocess, sys
first = Robot()
first.goto_target(antennas=[0.1, 0.1], duration=0.2)
second = Robot()
second.goto_target(antennas=[0, 0], duration=0.2)
first.close()
second.goto_target(antennas=[0.1, 0.1], duration=0.2)
other = '''
from robot import Robot, SlotTaken
try:
    Robot().goto_target(antennas=[0, 0], duration=0.2)
except SlotTaken:
    print("taken")
'''
print(subprocess.run([sys.executable, "-c", other], capture_output=True, text=True).stdout.strip())
second.close()
`);
  expect(text).toBe('taken\n');
});

test('an unreachable pose is refused with a sentence', async () => {
  const text = await python(`
with Robot() as robot:
    try:
        robot.goto_target(head=create_head_pose(z=90, mm=True), duration=0.2)
    except Unreachable as error:
        print(error)
`);
  expect(text).toMatch(/^The head cannot reach that pose: .+\.\n$/);
});

test('a refused motion does not hold the slot', async () => {
  void startPython(`
robot = Robot()
try:
    robot.goto_target(head=create_head_pose(z=90, mm=True), duration=500)
except Unreachable:
    time.sleep(30)
`);
  await vi.waitFor(async () => expect((await daemon.slot()).state).toBe('running'));
  await vi.waitFor(async () => expect((await daemon.slot()).state).toBe('free'), 4_000);
});

test('the token of an ended run is refused', async () => {
  const text = await python(`
import os
os.environ["ROBOT_RUN_TOKEN"] = "of-yesterday"
try:
    Robot()
except RobotConnectionError as error:
    print(error)
`);
  expect(text).toContain('This run of the app has ended.');
});

test('a malformed message is answered with an error, and the connection stays', async () => {
  const socket = new WebSocket(`${daemon.url.replace('http', 'ws')}/ws/sdk`);
  await once(socket, 'open');
  const reply = async (message: string | Buffer) => {
    const next = once(socket, 'message');
    socket.send(message);
    return JSON.parse(String((await next)[0]));
  };
  expect(await reply('{')).toMatchObject({ type: 'error', code: 'bad-message', message: 'Not JSON.' });
  expect(await reply(Buffer.from([1, 2]))).toMatchObject({ code: 'bad-message' });
  expect(await reply('{"type":"fly"}')).toMatchObject({ code: 'bad-message' });
  expect(await reply('{"type":"set_target"}')).toMatchObject({ message: 'Send hello first.' });
  const hello = examples.requests[1];
  expect(await reply(JSON.stringify({ ...hello, protocol: 99 }))).toMatchObject({ code: 'bad-protocol' });
  await once(socket, 'close');
});

test('a program that no longer answers loses the robot within about 2 s, even if its connection is open', async () => {
  const program = new WebSocket(`${daemon.url.replace('http', 'ws')}/ws/sdk`, { autoPong: false });
  const say = (message: object) => program.send(JSON.stringify(message));
  await once(program, 'open');
  say({ type: 'hello', protocol: 1, sdkVersion: '1', runToken: null, clientName: 'frozen.py' });
  say({ type: 'goto_target', id: '1', antennas: [0.5, -0.5], durationS: 30, method: 'linear' });
  await vi.waitFor(async () => expect((await daemon.slot()).state).toBe('running'), 2_000);
  await vi.waitFor(async () => expect((await daemon.slot()).state).toBe('free'), 5_000);
  expect(program.readyState).toBe(WebSocket.OPEN);
  program.terminate();
});

test('motion, sleep, motors and stop are commands of the socket, each answered by its id', {
  tags: ['smoke'],
}, async () => {
  const program = new WebSocket(`${daemon.url.replace('http', 'ws')}/ws/sdk`);
  const replies: SdkReply[] = [];
  program.on('message', (data) => replies.push(SdkReply.parse(JSON.parse((data as Buffer).toString()))));
  const order = async (message: { type: string; id: string; [part: string]: unknown }) => {
    program.send(JSON.stringify(message));
    return vi.waitFor(
      () => replies.find((reply) => 'id' in reply && reply.id === message.id) ?? expect.fail('no answer'),
      { interval: 20 },
    );
  };
  await once(program, 'open');
  program.send(JSON.stringify({ type: 'hello', protocol: 1, sdkVersion: '1', runToken: null, clientName: 'test' }));
  expect(await order({ type: 'goto_sleep', id: 'a' })).toMatchObject({ type: 'done', outcome: 'done' });
  expect(await order({ type: 'goto_target', id: 'b', antennas: [0, 0], durationS: 1 })).toMatchObject({
    type: 'error',
    code: 'robot-unavailable',
  });
  expect(await order({ type: 'wake_up', id: 'c' })).toMatchObject({ type: 'done', outcome: 'done' });
  expect(await order({ type: 'set_torque', id: 'd', on: false, motors: ['left_antenna'] })).toMatchObject({
    type: 'done',
  });
  const lastState = () => replies.findLast((reply) => reply.type === 'state');
  expect(lastState()).toMatchObject({ torque: false }); // reported before the answer
  expect(await order({ type: 'set_torque', id: 'e', on: true })).toMatchObject({ type: 'done' });
  program.send(JSON.stringify({ type: 'goto_target', id: 'f', antennas: [1, -1], durationS: 30 }));
  expect(await order({ type: 'goto_target', id: 'g', antennas: [0, 0], durationS: 1, ifBusy: 'refuse' })).toMatchObject(
    { type: 'error', code: 'busy', message: expect.stringContaining('busy moving') },
  );
  await order({ type: 'stop_motion', id: 'h' });
  expect(await vi.waitFor(() => replies.find((reply) => 'id' in reply && reply.id === 'f'))).toMatchObject({
    outcome: 'stopped',
  });
  program.send(JSON.stringify({ type: 'set_target', antennas: [4, 0] }));
  await vi.waitFor(() =>
    expect(replies.filter(({ type }) => type === 'clamped')).toMatchObject([{ clamped: [{ part: 'rightAntenna' }] }]),
  );
  program.terminate();
});
