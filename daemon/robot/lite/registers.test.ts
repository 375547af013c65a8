import { expect, test } from 'vitest';
import { CONTROL_TABLE_BYTES, numberBytes, radFromSteps, readNumber, registers, stepsFromRad } from './registers.ts';

test('a number is encoded as the bytes of its register, low byte first, and decoded again', () => {
  expect([...numberBytes(0x0102, registers.positionP)]).toEqual([0x02, 0x01]);
  expect([...numberBytes(-1024, registers.homingOffset)]).toEqual([0x00, 0xfc, 0xff, 0xff]);
  expect([...numberBytes(1, registers.torqueEnable)]).toEqual([1]);
  for (const register of Object.values(registers)) {
    const size = 2 ** (8 * register.bytes);
    const [least, most] = register.signed ? [-size / 2, size / 2 - 1] : [0, size - 1];
    for (const value of [least, least + 1, 0, 1, most - 1, most]) {
      expect(readNumber(numberBytes(value, register), register)).toBe(value);
    }
    for (const value of [least - 1, most + 1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => numberBytes(value, register)).toThrow(RangeError);
    }
  }
});

test('a number is read from bytes that begin at another address, and not outside of them', () => {
  const bytes = new Uint8Array(20).subarray(5); // a view, as answers are
  bytes.set(numberBytes(51, registers.presentInputVoltage), 12);
  expect(readNumber(bytes, registers.presentInputVoltage, 132)).toBe(51);
  expect(readNumber(bytes, registers.presentTemperature, 132)).toBe(0);
  expect(() => readNumber(bytes, registers.presentTemperature, 131)).toThrow(RangeError);
  expect(() => readNumber(bytes, registers.goalPosition, 132)).toThrow(RangeError);
});

test('no two registers overlap, and all are in the control table', () => {
  const addresses = Object.values(registers).flatMap(({ address, bytes }) =>
    Array.from({ length: bytes }, (_, index) => address + index),
  );
  expect(new Set(addresses).size).toBe(addresses.length);
  expect(Math.max(...addresses)).toBe(CONTROL_TABLE_BYTES - 1);
});

test('angles are converted to encoder steps: 2048 is straight ahead, a turn has 4096', () => {
  expect([0, 1024, 2048, 3072].map(radFromSteps)).toEqual([-Math.PI, -Math.PI / 2, 0, Math.PI / 2]);
  expect([-Math.PI, -Math.PI / 2, 0, Math.PI / 2, Math.PI].map(stepsFromRad)).toEqual([0, 1024, 2048, 3072, 4096]);
  for (let steps = 0; steps < 4096; steps++) expect(stepsFromRad(radFromSteps(steps))).toBe(steps);
});
