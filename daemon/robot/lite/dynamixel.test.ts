import { expect, test } from 'vitest';
import { randomNumbers } from '../simulation/random-numbers.ts';
import {
  encodePacket,
  INSTRUCTION,
  MAX_PACKET_BYTES,
  type Packet,
  PacketReader,
  type Status,
  statusOf,
  statusPacket,
} from './dynamixel.ts';

/** `TORTURE_FUZZ` multiplies the number of cases, `TORTURE_SEED` changes them. */
const TIMES = Number(process.env['TORTURE_FUZZ'] ?? 1);
const SEED = Number(process.env['TORTURE_SEED'] ?? 20261121);
const CASES = 20_000 * TIMES;

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
const hexOf = (data: Uint8Array) => Buffer.from(data).toString('hex');
const packet = (id: number, instruction: number, parameters: string): Packet => ({
  id,
  instruction,
  parameters: bytes(parameters),
});

/** The examples of the protocol's public description; those with stuffing are what its makers' own client computes. */
const known: readonly [string, Packet, string][] = [
  ['ping', packet(1, INSTRUCTION.ping, ''), 'ff ff fd 00 01 03 00 01 19 4e'],
  ['ping to all', packet(254, INSTRUCTION.ping, ''), 'ff ff fd 00 fe 03 00 01 31 42'],
  ['answer to a ping', packet(1, INSTRUCTION.status, '00 06 04 26'), 'ff ff fd 00 01 07 00 55 00 06 04 26 65 5d'],
  ['answer of a second one', packet(2, INSTRUCTION.status, '00 06 04 26'), 'ff ff fd 00 02 07 00 55 00 06 04 26 6f 6d'],
  ['read', packet(1, INSTRUCTION.read, '84 00 04 00'), 'ff ff fd 00 01 07 00 02 84 00 04 00 1d 15'],
  ['what was read', packet(1, INSTRUCTION.status, '00 a6 00 00 00'), 'ff ff fd 00 01 08 00 55 00 a6 00 00 00 8c c0'],
  ['write', packet(1, INSTRUCTION.write, '74 00 00 02 00 00'), 'ff ff fd 00 01 09 00 03 74 00 00 02 00 00 ca 89'],
  ['answer to a write', packet(1, INSTRUCTION.status, '00'), 'ff ff fd 00 01 04 00 55 00 a1 0c'],
  ['reboot', packet(1, INSTRUCTION.reboot, ''), 'ff ff fd 00 01 03 00 08 2f 4e'],
  [
    'sync read',
    packet(254, INSTRUCTION.syncRead, '84 00 04 00 01 02'),
    'ff ff fd 00 fe 09 00 82 84 00 04 00 01 02 ce fa',
  ],
  [
    'sync write',
    packet(254, INSTRUCTION.syncWrite, '74 00 04 00 01 96 00 00 00 02 aa 00 00 00'),
    'ff ff fd 00 fe 11 00 83 74 00 04 00 01 96 00 00 00 02 aa 00 00 00 82 87',
  ],
  [
    'stuffing at the end',
    packet(1, INSTRUCTION.write, '74 00 ff ff fd'),
    'ff ff fd 00 01 09 00 03 74 00 ff ff fd fd c4 85',
  ],
  [
    'stuffing before a zero, which would be a header',
    packet(1, INSTRUCTION.write, '74 00 ff ff fd 00'),
    'ff ff fd 00 01 0a 00 03 74 00 ff ff fd fd 00 21 e7',
  ],
  [
    'stuffing before what looks like stuffing',
    packet(1, INSTRUCTION.write, '74 00 ff ff fd fd'),
    'ff ff fd 00 01 0a 00 03 74 00 ff ff fd fd fd 2c 65',
  ],
  [
    'stuffing twice',
    packet(1, INSTRUCTION.write, 'ff ff fd ff ff fd'),
    'ff ff fd 00 01 0b 00 03 ff ff fd fd ff ff fd fd 31 21',
  ],
];

test.each(known)('a known packet, both ways: %s', (_, meaning, hex) => {
  expect(hexOf(encodePacket(meaning))).toBe(hexOf(bytes(hex)));
  expect(new PacketReader().push(bytes(hex))).toEqual([meaning]);
});

test('a status has the error of the request and the data', () => {
  const statuses: [string, Status][] = [
    ['00', { id: 1, error: null, alert: false, data: bytes('') }],
    ['80 0a', { id: 1, error: null, alert: true, data: bytes('0a') }],
    ['01', { id: 1, error: 'result-fail', alert: false, data: bytes('') }],
    ['02', { id: 1, error: 'bad-instruction', alert: false, data: bytes('') }],
    ['03', { id: 1, error: 'bad-crc', alert: false, data: bytes('') }],
    ['04', { id: 1, error: 'data-range', alert: false, data: bytes('') }],
    ['05', { id: 1, error: 'data-length', alert: false, data: bytes('') }],
    ['06', { id: 1, error: 'data-limit', alert: false, data: bytes('') }],
    ['87', { id: 1, error: 'access', alert: true, data: bytes('') }],
    ['08', { id: 1, error: 'unknown', alert: false, data: bytes('') }],
  ];
  for (const [parameters, status] of statuses) {
    const meaning = packet(1, INSTRUCTION.status, parameters);
    expect(statusOf(meaning)).toEqual(status);
    expect(statusPacket(status)).toEqual(meaning);
  }
  expect(statusOf(packet(1, INSTRUCTION.ping, '00'))).toBeNull();
  expect(statusOf(packet(1, INSTRUCTION.status, ''))).toBeNull();
});

test('the longest packet is encoded and decoded, a longer one is refused', () => {
  const most = MAX_PACKET_BYTES - 10;
  const longest: Packet = { id: 1, instruction: 3, parameters: new Uint8Array(most).fill(0xaa) };
  expect(encodePacket(longest)).toHaveLength(MAX_PACKET_BYTES);
  expect(new PacketReader().push(encodePacket(longest))).toEqual([longest]);
  expect(() => encodePacket({ ...longest, parameters: new Uint8Array(most + 1) })).toThrow(RangeError);
});

test('an impossible length is dropped at once, and the next packet is found', () => {
  const [, ping, hex = ''] = known[0] ?? [];
  for (const length of ['fa 01', 'ff ff', '00 00', '02 00']) {
    const reader = new PacketReader();
    expect(reader.push(bytes(`ff ff fd 00 01 ${length} ${hex}`))).toEqual([ping]);
    expect(reader.damaged).toBe(1);
  }
});

test('after a packet that was cut short, the next packet is found', () => {
  const [, ping, hex = ''] = known[0] ?? [];
  for (const cut of ['ff ff fd 00 01', 'ff ff fd 00 01 07 00 02 84 00', 'ff ff fd 00 01 f0 00 02 84 00 04 00 1d 15']) {
    const reader = new PacketReader();
    expect(reader.push(bytes(`${cut} ${hex}`))).toEqual([ping]);
    expect(reader.damaged).toBe(1);
  }
});

test('after a reset, the rest of an incomplete packet is ignored', () => {
  const [, ping, hex = ''] = known[0] ?? [];
  const reader = new PacketReader();
  expect(reader.push(bytes(hex).subarray(0, 3))).toEqual([]);
  reader.reset();
  expect(reader.push(bytes(hex).subarray(3))).toEqual([]);
  expect(reader.push(bytes(hex))).toEqual([ping]);
  expect(reader.damaged).toBe(0);
});

test('a lost last byte that equals the first byte of the next packet is replaced by it', () => {
  const first: Packet = { id: 1, instruction: 3, parameters: bytes('74 00 37 00') };
  const [, ping, hex = ''] = known[0] ?? [];
  const whole = encodePacket(first);
  expect(whole.at(-1)).toBe(0xff);
  expect(new PacketReader().push(Buffer.concat([whole.subarray(0, -1), bytes(hex)]))).toEqual([first, ping]);
});

test('any packet is decoded, in any split of the stream', { timeout: 5_000 + 500 * TIMES }, () => {
  const random = randomNumbers(SEED);
  const reader = new PacketReader();
  for (let time = 0; time < TIMES; time++) {
    const packets = Array.from({ length: 2_000 }, () => randomPacket(random));
    const stream = Buffer.concat(packets.map(encodePacket));
    const found = chunksOf(stream, random).flatMap((chunk) => reader.push(chunk));
    expect(found.map(textOf)).toEqual(packets.map(textOf));
  }
});

test(`a packet is found after any noise, and no other packet: ${CASES} cases, seed ${SEED}`, {
  timeout: 30_000 + 3_000 * TIMES,
}, () => {
  const random = randomNumbers(SEED);
  const reader = new PacketReader();
  const wrong: string[] = [];
  let before = Buffer.alloc(0);
  for (let count = 0; count < CASES; count++) {
    const noise = random() < 0.2 ? randomBytes(random, 60) : mutated(encodePacket(randomPacket(random)), random);
    const packet = randomPacket(random);
    const stream = Buffer.concat([noise, encodePacket(packet)]);
    const chunks = random() < 0.5 ? [stream] : chunksOf(stream, random);
    const found = chunks.flatMap((chunk) => reader.push(chunk)).map(textOf);
    const last = textOf(packet);
    const seen = Buffer.concat([before, stream]); // the end of one packet may be the beginning of a header, too
    before = stream.subarray(-3);
    if (found.length === 1 && found[0] === last) continue;
    const whole = wholeFrames(seen);
    if (found.at(-1) !== last || !found.every((text) => whole.has(text))) wrong.push(seen.toString('hex'));
  }
  expect(wrong).toEqual([]);
  expect(reader.damaged).toBeGreaterThan(CASES / 10);
});

/** Random bytes with many of the values in headers and stuffing. */
const common = [0xff, 0xff, 0xfd, 0x00, 0x03];

function randomByte(random: () => number): number {
  return common[Math.floor(6 * random())] ?? Math.floor(256 * random());
}

function randomBytes(random: () => number, most: number): Uint8Array {
  const some = new Uint8Array(Math.floor((most + 1) * random()));
  for (let index = 0; index < some.length; index++) some[index] = randomByte(random);
  return some;
}

function randomPacket(random: () => number): Packet {
  return { id: Math.floor(255 * random()), instruction: randomByte(random), parameters: randomBytes(random, 24) };
}

/** Flips one bit, removes or adds bytes, or cuts the end off. */
function mutated(whole: Uint8Array, random: () => number): Uint8Array {
  const from = Math.floor(whole.length * random());
  const count = 1 + Math.floor(3 * random());
  switch (Math.floor(4 * random())) {
    case 0:
      return whole.map((byte, index) => (index === from ? byte ^ (1 << Math.floor(8 * random())) : byte));
    case 1:
      return Buffer.concat([whole.subarray(0, from), whole.subarray(from + count)]);
    case 2:
      return Buffer.concat([whole.subarray(0, from), randomBytes(random, count), whole.subarray(from)]);
    default:
      return whole.subarray(0, from);
  }
}

function chunksOf(stream: Uint8Array, random: () => number): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  const most = random() < 0.5 ? 2 : 40;
  for (let start = 0; start < stream.length; ) {
    const end = start + 1 + Math.floor(most * random());
    chunks.push(stream.subarray(start, end));
    start = end;
  }
  return chunks;
}

const textOf = ({ id, instruction, parameters }: Packet) =>
  String.fromCharCode(id, instruction) + Buffer.from(parameters).toString('latin1');

/** Every complete frame in a stream, by an implementation independent of the tested one. */
function wholeFrames(stream: Buffer): Set<string> {
  const frames = new Set<string>();
  for (let start = 0; start + 10 <= stream.length; start++) {
    if (stream.readUInt32BE(start) !== 0xfffffd00) continue;
    const end = start + 7 + stream.readUInt16LE(start + 5);
    if (end < start + 10 || end > stream.length) continue;
    if (stream.readUInt16LE(end - 2) !== slowCrc(stream.subarray(start, end - 2))) continue;
    const body = stream.toString('latin1', start + 7, end - 2).replaceAll('\xff\xff\xfd\xfd', '\xff\xff\xfd');
    frames.add(stream.toString('latin1', start + 4, start + 5) + body);
  }
  return frames;
}

/** Bit by bit, as a division of polynomials. */
function slowCrc(data: Uint8Array): number {
  let remainder = 0;
  for (const byte of data) {
    for (let bit = 7; bit >= 0; bit--) {
      const carry = ((remainder >> 15) ^ (byte >> bit)) & 1;
      remainder = ((remainder << 1) & 0xffff) ^ (carry ? 0x8005 : 0);
    }
  }
  return remainder;
}
