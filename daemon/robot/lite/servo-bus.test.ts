import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { MemoryLine, statusBytes } from '../../testing/daemon/memory-line.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { wordAt } from '../emulator/emulated-servo.ts';
import { randomNumbers } from '../simulation/random-numbers.ts';
import { INSTRUCTION, type Packet } from './dynamixel.ts';
import { registers } from './registers.ts';
import type { SerialLine } from './serial-line.ts';
import { BusClosed, ServoBus, ServoRefused, ServosSilent, span } from './servo-bus.ts';

const clock = movableClock();
const options = { baudRate: 1_000_000, answerMs: 10, clock };
/** Waits for an answer, or that there is none, in a time that passes quickly. */
const { during } = clock;
const position = span(registers.presentPosition);
const never = () => null;

/** A servo's memory that shows which bytes were read: each is its own address, plus an offset. */
const memory = ({ parameters }: Packet, offset = 0) =>
  Uint8Array.from({ length: wordAt(parameters, 2) }, (_, index) => wordAt(parameters, 0) + index + offset);

const joined = (...parts: readonly Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));
const idsOf = ({ parameters }: Packet) => [...parameters.subarray(4)];

/** Answers plain and sync reads for these servos. */
const readers = (ids: readonly number[]) => (packet: Packet) => {
  const asked = packet.instruction === INSTRUCTION.syncRead ? idsOf(packet) : [packet.id];
  return joined(...asked.filter((id) => ids.includes(id)).map((id) => statusBytes({ id, data: memory(packet) })));
};

test('a read returns the requested bytes', async () => {
  const line = new MemoryLine(readers([11]));
  const bus = new ServoBus(line, options);
  expect(await bus.read(11, position)).toEqual(Uint8Array.of(132, 133, 134, 135));
  expect(line.packets).toEqual([{ id: 11, instruction: INSTRUCTION.read, parameters: Uint8Array.of(132, 0, 4, 0) }]);
});

test('a sync read returns the answers that came, with their alerts', async () => {
  const line = new MemoryLine((packet) =>
    joined(
      statusBytes({ id: 10, data: memory(packet) }),
      statusBytes({ id: 12, data: memory(packet), alert: true }),
      statusBytes({ id: 13, data: memory(packet) }), // nobody asked it
    ),
  );
  const answers = await during(new ServoBus(line, options).syncRead([10, 11, 12], position));
  const data = Uint8Array.of(132, 133, 134, 135);
  expect([...answers.values()]).toEqual([
    { id: 10, error: null, alert: false, data },
    { id: 12, error: null, alert: true, data },
  ]);
});

test('a silent servo gives null to a read, and is named by the error of readAll', async () => {
  const bus = new ServoBus(new MemoryLine(readers([10])), options);
  expect(await during(bus.read(11, position))).toBeNull();
  expect(await during(bus.ping(11))).toBe(false);
  await expect(during(bus.readAll([10, 11], position))).rejects.toEqual(new ServosSilent(11));
  await expect(during(bus.write(11, registers.torqueEnable, 1))).rejects.toEqual(new ServosSilent(11));
  await expect(during(bus.reboot(11, 30))).rejects.toEqual(new ServosSilent(11));
});

test('only the servos that did not answer are asked again', async () => {
  const line = new MemoryLine(never);
  const missedOnce = new Set([11, 12]);
  line.answer = (packet) => readers([10, 11, 12].filter((id) => !missedOnce.delete(id)))(packet);
  const all = await during(new ServoBus(line, options).readAll([10, 11, 12], position));
  expect(new Set(all.keys())).toEqual(new Set([10, 11, 12]));
  expect(line.packets.map(idsOf)).toEqual([
    [10, 11, 12],
    [11, 12],
  ]);
});

test('a late answer is not taken for that of the next request', async () => {
  const line = new MemoryLine(never);
  const bus = new ServoBus(line, options);
  expect(await during(bus.read(11, position))).toBeNull();
  const late = statusBytes({ id: 11, data: Uint8Array.of(1, 1, 1, 1) });
  line.answer = (packet) => joined(late, statusBytes({ id: 11, data: memory(packet) }));
  expect(await bus.read(11, position)).toEqual(Uint8Array.of(132, 133, 134, 135));
});

test('a late answer that the next request cuts in two is ignored', async () => {
  const line = new MemoryLine(never);
  const bus = new ServoBus(line, options);
  expect(await during(bus.read(11, position))).toBeNull();
  const late = statusBytes({ id: 11, data: Uint8Array.of(1, 1, 1, 1) });
  line.say(late.subarray(0, 9));
  line.answer = (packet) => joined(late.subarray(9), statusBytes({ id: 11, data: memory(packet) }));
  expect(await bus.read(11, position)).toEqual(Uint8Array.of(132, 133, 134, 135));
});

test('on a line that delays, loses and reorders, no answer is taken for another one', {
  timeout: 60_000,
}, async () => {
  const random = randomNumbers(7);
  const line = new MemoryLine(never);
  const bus = new ServoBus(line, { ...options, answerMs: 1 });
  let request = 0;
  /** Answers that are kept back, with the number of the request in whose time they come. */
  let kept: { due: number; bytes: Uint8Array }[] = [];
  line.answer = (packet) => {
    for (const id of packet.instruction === INSTRUCTION.syncRead ? idsOf(packet) : [packet.id]) {
      const bytes = statusBytes({ id, data: new Uint8Array(wordAt(packet.parameters, 2)).fill(request % 256) });
      if (random() < 0.8) kept.push({ due: request + (random() < 0.8 ? 0 : Math.floor(random() * 6)), bytes });
    }
    kept.sort(() => random() - 0.5);
    const due = kept.filter((answer) => answer.due <= request);
    kept = kept.filter((answer) => answer.due > request);
    return joined(...due.map(({ bytes }) => bytes));
  };
  let answered = 0;
  for (request = 1; request <= 1000; request++) {
    const single = random() < 0.3;
    const ids = single ? [10] : [10, 11, 12];
    const what = span(random() < 0.5 ? registers.presentPosition : registers.presentInputVoltage);
    const data = single
      ? [await during(bus.read(10, what))].filter((bytes) => bytes !== null)
      : [...(await during(bus.syncRead(ids, what))).values()].map((status) => status.data);
    const right = new Uint8Array(what.length).fill(request % 256);
    expect(data).toEqual(data.map(() => right));
    answered += data.length;
  }
  expect(answered).toBeGreaterThan(500);
});

test('a damaged answer is dropped, and the next one is read', async () => {
  const line = new MemoryLine((packet) => {
    const damaged = statusBytes({ id: 10, data: memory(packet) });
    damaged[9] = (damaged[9] ?? 0) ^ 0x10;
    return joined(damaged, statusBytes({ id: 11, data: memory(packet) }));
  });
  expect([...(await during(new ServoBus(line, options).syncRead([10, 11], position))).keys()]).toEqual([11]);
});

test('an answer with a damaged length affects only its request', async () => {
  const line = new MemoryLine((packet) => {
    const damaged = statusBytes({ id: 11, data: memory(packet) });
    damaged[6] = 1; // 256 bytes more
    return damaged;
  });
  const bus = new ServoBus(line, options);
  expect(await bus.read(11, position)).toBeNull();
  line.answer = readers([11]);
  expect(await bus.read(11, position)).toEqual(Uint8Array.of(132, 133, 134, 135));
});

test('echoes of the line are ignored', async () => {
  const line = new MemoryLine(readers([11]));
  const bus = new ServoBus(line, options);
  const write = line.write.bind(line);
  line.write = (bytes) => {
    line.say(bytes);
    write(bytes);
  };
  expect(await bus.read(11, position)).toEqual(Uint8Array.of(132, 133, 134, 135));
});

test('a write that arrived damaged or was not answered is repeated', async () => {
  const answers = [statusBytes({ id: 11, error: 'bad-crc' }), null, statusBytes({ id: 11 })];
  const line = new MemoryLine(() => answers.shift() ?? null);
  await during(new ServoBus(line, options).write(11, registers.goalPosition, -2));
  const order = { id: 11, instruction: INSTRUCTION.write, parameters: Uint8Array.of(116, 0, 254, 255, 255, 255) };
  expect(line.packets).toEqual([order, order, order]);
});

test('slow answers are accepted: for EEPROM writes, and on a busy machine', async () => {
  const line = new MemoryLine((packet) => {
    const isRead = packet.instruction === INSTRUCTION.syncRead;
    clock.after(45, () => line.say(isRead ? readers([11])(packet) : statusBytes({ id: 11 })));
    return null;
  });
  const bus = new ServoBus(line, options);
  await during(bus.write(11, registers.shutdown, 52));
  expect(line.packets).toHaveLength(1);
  const all = await during(bus.readAll([11], position));
  expect(all).toEqual(new Map([[11, Uint8Array.of(132, 133, 134, 135)]]));
});

test('a refused write is not repeated', async () => {
  const line = new MemoryLine(() => statusBytes({ id: 11, error: 'access' }));
  const bus = new ServoBus(line, options);
  await expect(bus.write(11, registers.shutdown, 52)).rejects.toEqual(new ServoRefused(11, 'access'));
  expect(await bus.read(11, position)).toBeNull();
  expect(line.packets).toHaveLength(2);
});

test('writeAll reads back, and repeats where the value differs', async () => {
  const values = new Map([
    [10, 0],
    [11, 0],
  ]);
  let deaf = true;
  const line = new MemoryLine((packet) => {
    if (packet.instruction === INSTRUCTION.syncWrite) {
      for (let index = 4; index < packet.parameters.length; index += 3) {
        const id = packet.parameters[index] ?? 0;
        if (id === 10 || !deaf) values.set(id, wordAt(packet.parameters, index + 1));
        if (id === 11) deaf = false;
      }
      return null;
    }
    const bytes = (id: number) => Uint8Array.of((values.get(id) ?? 0) & 0xff, (values.get(id) ?? 0) >> 8);
    return joined(...idsOf(packet).map((id) => statusBytes({ id, data: bytes(id) })));
  });
  const wanted = new Map([
    [10, 300],
    [11, 301],
  ]);
  await new ServoBus(line, options).writeAll(registers.positionP, wanted);
  expect(values).toEqual(wanted);
  const writes = line.packets.filter(({ instruction }) => instruction === INSTRUCTION.syncWrite);
  expect(writes.map(({ parameters }) => [...parameters])).toEqual([
    [84, 0, 2, 0, 10, 44, 1, 11, 45, 1],
    [84, 0, 2, 0, 11, 45, 1],
  ]);
});

test('a servo whose value still differs is named; a value within the tolerance counts', async () => {
  const bus = new ServoBus(new MemoryLine(readers([10])), options); // its memory is what it is
  const goal = 116 + 117 * 2 ** 8 + 118 * 2 ** 16 + 119 * 2 ** 24;
  await bus.writeAll(registers.goalPosition, new Map([[10, goal - 5]]), 5);
  const refused = bus.writeAll(registers.goalPosition, new Map([[10, goal - 6]]), 5);
  await expect(refused).rejects.toEqual(new ServoRefused(10, 'not-taken'));
});

test('a servo that reboots is back when it answers', async () => {
  let awayFor = 0;
  const line = new MemoryLine((packet) => {
    if (packet.instruction === INSTRUCTION.reboot) {
      awayFor = 3;
      return statusBytes({ id: 11 });
    }
    return awayFor-- > 0 ? null : readers([11])(packet);
  });
  await during(new ServoBus(line, options).reboot(11, 1000));
  expect(line.packets.map(({ instruction }) => instruction)).toEqual([
    INSTRUCTION.reboot,
    ...Array(4).fill(INSTRUCTION.syncRead),
  ]);
});

test('requests run one at a time', async () => {
  const line = new MemoryLine(never);
  let underWay = 0;
  let most = 0;
  line.answer = (packet) => {
    most = Math.max(most, ++underWay);
    setImmediate(() => {
      underWay -= 1;
      line.say(readers([10, 11])(packet));
    });
    return null;
  };
  const bus = new ServoBus(line, options);
  const asked = Array.from({ length: 20 }, (_, index) => bus.read(10 + (index % 2), position));
  expect(await Promise.all(asked)).toEqual(Array(20).fill(Uint8Array.of(132, 133, 134, 135)));
  expect(most).toBe(1);
});

test('a lost line fails the current and all later requests', async () => {
  const line = new MemoryLine(never);
  const bus = new ServoBus(line, { ...options, answerMs: 60_000 });
  const underWay = [bus.read(10, position), bus.syncRead([10, 11], position), bus.write(10, registers.torqueEnable, 1)];
  await turn();
  line.unplug();
  for (const result of underWay) await expect(result).rejects.toEqual(new BusClosed('unplugged'));
  await expect(bus.syncWrite(registers.goalPosition, new Map([[10, 1]]))).rejects.toBeInstanceOf(BusClosed);
  await expect(bus.ping(10)).rejects.toBeInstanceOf(BusClosed);
});

test('an answer that arrived in time counts, even if the event loop reads it late', async () => {
  // A servo in a separate process, which answers while this one is blocked.
  const bytes = [...statusBytes({ id: 11, data: Uint8Array.of(1, 2, 3, 4) })];
  const program = `process.stdin.on('data', () => process.stdout.write(Uint8Array.from(${JSON.stringify(bytes)})))`;
  const piped = { stdin: 'pipe', encoding: 'buffer', reject: false } as const;
  const servo = execa(process.execPath, ['-e', `${program}; process.stderr.write('ready')`], piped);
  try {
    await once(servo.stderr, 'data');
    const line: SerialLine = {
      write: (packet) => void servo.stdin.write(packet),
      onBytes: (listener) => void servo.stdout.on('data', listener),
      closed: new Promise(() => {}),
      close: async () => {},
    };
    const bus = new ServoBus(line, options);
    const answer = bus.read(11, position);
    await turn(); // the request is out
    const busyUntilMs = performance.now() + 200;
    while (performance.now() < busyUntilMs);
    expect(await answer).toEqual(Uint8Array.of(1, 2, 3, 4));
  } finally {
    servo.kill();
    await servo;
  }
});
