import { expect, test } from 'vitest';
import { hardware, settle, startedEmulator } from '../../testing/emulator-on-fake-terminals.ts';
import { BROADCAST_ID, encodePacket, INSTRUCTION } from '../lite/dynamixel.ts';
import { registers } from '../lite/registers.ts';

const ids = hardware.motors.map(({ id }) => id);
const [LEG, LEFT] = [11, 18];
const pingToAll = encodePacket({ id: BROADCAST_ID, instruction: INSTRUCTION.ping, parameters: new Uint8Array(0) });

test('requests are answered, in whatever pieces they arrive; those of an earlier terminal are not', async () => {
  const { terminals, latest, setUnplugged, stop } = await startedEmulator();
  expect(latest().ping()).toEqual(ids);
  const { onData } = latest().options;
  for (const byte of pingToAll) onData(Uint8Array.of(byte));
  expect(latest().answers()).toHaveLength(ids.length);
  onData(pingToAll.subarray(0, 9)); // the rest never comes
  setUnplugged(true);
  setUnplugged(false);
  await settle();
  await latest().open('/dev/pts/2');
  latest().options.onData(pingToAll.subarray(9));
  expect(latest().answers()).toEqual([]);
  onData(pingToAll);
  expect(terminals.map((terminal) => terminal.answers())).toEqual([[], []]);
  expect(latest().ping()).toEqual(ids);
  await stop();
});

test('faults and touches are those of the servos on the line', async () => {
  const { emulator, latest, clock, stop } = await startedEmulator();
  emulator.simulator.setFaults([{ kind: 'dead-servo', motor: 'stewart_1' }]);
  expect([latest().ping(), emulator.path]).toEqual([ids.filter((id) => id !== LEG), '/dev/pts/1']);
  emulator.simulator.setFaults([{ kind: 'silence' }]);
  expect(latest().ping()).toEqual([]);
  emulator.simulator.setFaults([]);
  const before = latest().read(LEFT, registers.presentPosition);
  emulator.simulator.touch('left');
  await clock.advance(280);
  expect(latest().read(LEFT, registers.presentPosition)).toBeLessThan(before - 160);
  await stop();
});

test('the servos have the content of their memory that is asked for, else the right one', async () => {
  for (const [configuration, delay] of [
    [undefined, hardware.returnDelayTime],
    ['factory', 250],
  ] as const) {
    const { latest, stop } = await startedEmulator(configuration && { configuration });
    expect(latest().read(LEG, registers.returnDelayTime)).toBe(delay);
    await stop();
  }
});

test('a line loses and corrupts all bytes, until it is set right', async () => {
  const { latest, setLineFaults, stop } = await startedEmulator();
  for (const faults of [{ dropByte: 1 }, { corruptByte: 1 }]) {
    setLineFaults(faults);
    expect(latest().ping()).toEqual([]);
  }
  setLineFaults({});
  expect(latest().ping()).toEqual(ids);
  await stop();
});

/** Requests on a bad line, and their answers. */
async function onBadLine(seed: number): Promise<string[]> {
  const { latest, setLineFaults, stop } = await startedEmulator({ seed });
  const { address } = registers.torqueEnable;
  const became = Array.from({ length: 60 }, () => {
    latest().ask(LEG, INSTRUCTION.write, address, 0, 0);
    setLineFaults({ dropByte: 0.02, corruptByte: 0.02 });
    const answers = latest().switchOn(LEG);
    setLineFaults({});
    const isDone = latest().read(LEG, registers.torqueEnable) === 1;
    return `${isDone ? 'done' : 'lost'}, ${answers.length} answers`;
  });
  await stop();
  return became;
}

test('a bad line loses requests as well as answers, by chance, and the same ones each time with the same seed', async () => {
  const became = await onBadLine(3);
  expect(new Set(became)).toEqual(new Set(['lost, 0 answers', 'done, 0 answers', 'done, 1 answers']));
  expect(await onBadLine(3)).toEqual(became);
  expect(await onBadLine(4)).not.toEqual(became);
});

test('late answers come after their time, a hundred at most, and none after the robot was unplugged', async () => {
  const { latest, clock, setUnplugged, setLineFaults, stop } = await startedEmulator();
  const ask = (times: number) => {
    for (let count = 0; count < times; count++) expect(latest().ask(LEG, INSTRUCTION.ping)).toEqual([]);
  };
  setLineFaults({ lateShare: 1, lateMs: 300 });
  ask(101);
  await clock.advance(299);
  expect(latest().answers()).toEqual([]);
  await clock.advance(1);
  expect(latest().answers()).toHaveLength(100);
  ask(1); // those that have come do not count
  await clock.advance(300);
  expect(latest().answers()).toHaveLength(1);
  ask(100);
  setUnplugged(true);
  setUnplugged(false);
  await settle();
  await latest().open('/dev/pts/2');
  await clock.advance(300);
  expect(latest().answers()).toEqual([]);
  ask(1); // nor do those that were dropped
  await clock.advance(300);
  expect(latest().answers()).toHaveLength(1);
  ask(1);
  await stop();
});
