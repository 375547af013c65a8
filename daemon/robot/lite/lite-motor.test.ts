import { expect, test } from 'vitest';
import { readHardware } from './hardware.ts';
import { LiteMotor, POSITION, STATUS } from './lite-motor.ts';
import { numberBytes, type Register, registers } from './registers.ts';

const hardware = readHardware('assets/hardware/lite.json');
const [body, leg] = hardware.motors;
if (!body || !leg) throw new Error('the robot has motors');
const motor = () => new LiteMotor(leg, hardware, 0.5);

interface StatusFields {
  readonly torque?: number;
  readonly faults?: number;
  readonly voltage?: number;
}

function statusOf({ torque = 1, faults = 0, voltage = 50 }: StatusFields): Uint8Array {
  const bytes = new Uint8Array(STATUS.length);
  const set = (register: Register, value: number) => bytes.set(numberBytes(value, register), register.address - 64);
  set(registers.torqueEnable, torque);
  set(registers.hardwareErrorStatus, faults);
  set(registers.presentPosition, 1024);
  set(registers.presentInputVoltage, voltage);
  set(registers.presentTemperature, 41);
  return bytes;
}

test('a motor without an answer yet has its assumed position, and does not answer', () => {
  expect(motor().report(0)).toEqual({
    name: 'stewart_1',
    id: 11,
    answers: false,
    torque: false,
    mode: 'position',
    positionRad: 0.5,
    voltageV: null,
    temperatureC: null,
    faults: [],
  });
});

test('a motor reports its state in units', () => {
  const updated = motor();
  updated.takeStatus(statusOf({ faults: 0x24, voltage: 48 }));
  expect(updated.report(0)).toEqual({
    name: 'stewart_1',
    id: 11,
    answers: true,
    torque: true,
    mode: 'position',
    positionRad: -Math.PI / 2,
    voltageV: 4.8,
    temperatureC: 41,
    faults: ['overheating', 'overload'],
  });
  expect(updated.hasShutDown).toBe(true);
});

test.each([
  ['an ordinary supply is no fault, whatever the servo says', 78, []],
  ['a supply above 7.8 V is one, and no reason to let go', 79, ['input-voltage']],
])('%s', (_, voltage, faults) => {
  const updated = motor();
  updated.takeStatus(statusOf({ faults: 0x01, voltage }));
  expect([updated.report(0).faults, updated.hasShutDown]).toEqual([faults, false]);
});

test('a motor counts as silent after a quarter of a second of unanswered requests', () => {
  const asked = motor();
  asked.takePosition(new Uint8Array(POSITION.length));
  const answers = (nowMs: number) => asked.report(nowMs).answers;
  expect(answers(10_000)).toBe(true); // nobody asked
  asked.missed(10_000);
  asked.missed(10_200);
  expect([answers(10_249), answers(10_250), asked.silentMs(10_700)]).toEqual([true, false, 700]);
  asked.takePosition(new Uint8Array(POSITION.length));
  expect([answers(10_700), asked.silentMs(10_700)]).toEqual([true, 0]);
  asked.lost();
  expect(answers(10_700)).toBe(false);
});

test('only the first of several alarms is new', () => {
  const alarmed = motor();
  expect([true, true, false, true].map((alert) => alarmed.takeAlert(alert))).toEqual([true, false, false, true]);
});

test('goals stay within the limits of the servo', () => {
  expect([-3, -0.5, 3].map((angleRad) => motor().goalSteps(angleRad))).toEqual([1502, 1722, 2958]);
  expect(new LiteMotor(body, hardware, 0).goalSteps(Math.PI)).toBe(4095);
});
