import { expect, test } from 'vitest';
import { SimulatedServo } from './simulated-servo.ts';

const servo = (options: Partial<ConstructorParameters<typeof SimulatedServo>[0]> = {}) =>
  new SimulatedServo({ startRad: 0, restRad: null, minRad: -3, maxRad: 3, ...options });

test('with torque it follows its goal with a lag, within 8 rad/s and 200 rad/s²', () => {
  const joint = servo();
  joint.setTorque(true);
  joint.goalRad = 2;
  let [speed, fastest] = [0, 0];
  for (let ms = 0; ms < 600; ms += 2) {
    joint.step(0.002);
    expect(Math.abs(joint.velocityRadS - speed)).toBeLessThanOrEqual(200 * 0.002 + 1e-9);
    speed = joint.velocityRadS;
    fastest = Math.max(fastest, Math.abs(speed));
    expect(joint.positionRad).toBeLessThan(2.001); // no overshoot to speak of
  }
  expect(fastest).toBeCloseTo(8, 9);
  expect(joint.positionRad).toBeCloseTo(2, 3);
});

test('without torque it sinks to its rest in about a second, or stays if it has none', () => {
  const falling = servo({ startRad: 1, restRad: -1 });
  const lying = servo({ startRad: 1 });
  for (const joint of [falling, lying]) {
    joint.goalRad = 2;
    joint.step(1.2);
  }
  expect(falling.positionRad).toBeCloseTo(-1, 1);
  expect(lying.positionRad).toBe(1);
});

test('it stops at the ends of its range', () => {
  const joint = servo({ maxRad: 1 });
  joint.setTorque(true);
  joint.goalRad = 5;
  joint.step(1);
  expect(joint.positionRad).toBe(1);
  expect(joint.velocityRadS).toBe(0);
});

test('under load it warms up and its supply voltage drops; without load it cools down', () => {
  const joint = servo({ maxRad: 0.1 });
  joint.setTorque(true);
  joint.goalRad = 2;
  joint.step(600);
  expect(joint.temperatureC).toBeGreaterThan(70);
  expect(joint.voltageV).toBeCloseTo(4.7);
  joint.setTorque(false);
  joint.step(600);
  expect(joint.temperatureC).toBeLessThan(27);
  expect(joint.voltageV).toBe(5);
});

test('in fault it shuts down, and holds again only after a reboot', () => {
  const joint = servo();
  joint.setTorque(true);
  joint.fail('overload');
  joint.setTorque(true);
  expect([joint.torque, joint.faults]).toEqual([false, ['overload']]);
  joint.reboot();
  joint.setTorque(true);
  expect([joint.torque, joint.faults]).toEqual([true, []]);
});

test('the same steps give the same run, in any number of calls', () => {
  const [one, many] = [servo({ startRad: 1, restRad: 0 }), servo({ startRad: 1, restRad: 0 })];
  one.push(0.5, 0.2);
  many.push(0.5, 0.2);
  one.step(0.4);
  for (let step = 0; step < 20; step++) many.step(0.02);
  expect(many.positionRad).toBeCloseTo(one.positionRad, 9);
});
