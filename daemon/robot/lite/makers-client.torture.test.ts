/** The client published by the servos' maker, on the emulated servos, as an independent check of the emulation. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../shared/clock.ts';
import { createLogger } from '../../shared/logger.ts';
import { childEnvironment } from '../../shared/processes/child-environment.ts';
import { CommandFailed, runCommand } from '../../shared/processes/run-command.ts';
import { projectDir } from '../../testing/daemon/test-daemon.ts';
import { ServoEmulator } from '../emulator/servo-emulator.ts';
import { readHardware } from './hardware.ts';

const hardware = readHardware(join(projectDir, 'assets', 'hardware', 'lite.json'));
const ids = hardware.motors.map(({ id }) => id);
/** A pseudo-terminal has no speed; macOS refuses it those that are not among the classic ones. */
const baudRate = process.platform === 'darwin' ? 115_200 : hardware.baudRate;

test.skipIf(process.platform === 'win32')('it finds the servos, moves them and reboots them', async (context) => {
  const packages = await mkdtemp(join(tmpdir(), 'robot-desktop-'));
  onTestFinished(() => rm(packages, { recursive: true, force: true }));
  const env = childEnvironment(process.env, randomUUID());
  const missing = await install(packages, ['dynamixel-sdk==4.1.0', 'pyserial==3.5'], env);
  if (missing !== null) {
    console.warn(`SKIPPED, the makers' own client cannot be had: ${missing}`);
    context.skip(missing);
  }
  const emulator = new ServoEmulator({
    hardware,
    program: join(projectDir, 'assets', 'emulator', 'pseudo_terminal.py'),
    python: async () => 'python3',
    childEnvironment: () => env,
    clock: systemClock,
    log: createLogger('error'),
  });
  onTestFinished(() => emulator.stop());
  await emulator.start();
  const goals = hardware.motors.map(({ id, minPosition, maxPosition }) => [id, (minPosition + maxPosition) >> 1]);
  const args = ['-B', '-c', officialClient, String(emulator.path), String(baudRate), JSON.stringify(goals)];
  const options = { env, moreEnv: { PYTHONPATH: packages }, deadlineMs: 40_000 };
  const lines = await runCommand('python3', args, options).catch((error: CommandFailed) => error.lines);
  expect(lines).toEqual([expect.stringMatching(/^{/)]);
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    ping: [1200, 0, 0],
    found: Object.fromEntries(ids.map((id) => [id, [1200, 53]])),
    arrived: true,
    lockedWhileHolding: [0, 7],
    reboot: [0, 0],
    silentMeanwhile: true,
    torqueAfter: [0, 0, 0],
  });
});

/** A program written only from the servos' documentation. */
const officialClient = `
import json, sys, time
from dynamixel_sdk import COMM_SUCCESS, GroupSyncRead, GroupSyncWrite, PacketHandler, PortHandler, port_handler

TORQUE, GOAL, POSITION, HOMING = 64, 116, 132, 20
port_handler.LATENCY_TIMER = 250  # waits 0.5 s for an answer: this machine may be busy
goals = dict(json.loads(sys.argv[3]))
port, servos, seen = PortHandler(sys.argv[1]), PacketHandler(2.0), {}
assert port.openPort() and port.setBaudRate(int(sys.argv[2]))

def write_all(address, size, values):
    group = GroupSyncWrite(port, servos, address, size)
    for servo, value in values.items():
        assert group.addParam(servo, list(value.to_bytes(size, "little")))
    assert group.txPacket() == COMM_SUCCESS

seen["ping"] = servos.ping(port, 10)
seen["found"], result = servos.broadcastPing(port)
assert result == COMM_SUCCESS
write_all(TORQUE, 1, {servo: 1 for servo in goals})
write_all(GOAL, 4, goals)
positions = GroupSyncRead(port, servos, POSITION, 4)
for servo in goals:
    assert positions.addParam(servo)
end = time.monotonic() + 10
while time.monotonic() < end:
    assert positions.txRxPacket() == COMM_SUCCESS
    seen["arrived"] = all(abs(positions.getData(s, POSITION, 4) - goal) <= 2 for s, goal in goals.items())
    if seen["arrived"]:
        break
seen["lockedWhileHolding"] = servos.write4ByteTxRx(port, 10, HOMING, 5)
seen["reboot"] = servos.reboot(port, 10)
seen["silentMeanwhile"] = servos.ping(port, 10)[1] != COMM_SUCCESS
time.sleep(0.5)
seen["torqueAfter"] = servos.read1ByteTxRx(port, 10, TORQUE)
print(json.dumps(seen))
`;

/** @returns why the packages cannot be installed, or null */
async function install(
  folder: string,
  packages: readonly string[],
  env: Record<string, string>,
): Promise<string | null> {
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--retries', '1', '--target', folder];
  try {
    await runCommand('python3', [...pip, '--no-deps', ...packages], { env, deadlineMs: 50_000 });
    return null;
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    return error.lines.at(-1) ?? error.message;
  }
}
