import type { AntennaSide } from '../../contract/robot/robot.ts';
import { jointRanges } from '../kinematics/limits.ts';
import { sleepJoints } from '../motions/posture.ts';
import { joined, motorNames } from '../motors.ts';
import { SimulatedServo } from './simulated-servo.ts';

/** Angle and duration of a touch. */
const TOUCH_RAD = 0.5;
const TOUCH_S = 0.3;

/** Nine servos in the order of the bus: folded, limp and cold. Gravity moves legs and antennas back, not the body. */
export function sleepingServos(): SimulatedServo[] {
  return joined(sleepJoints).map((angleRad, index) => {
    const { minRad, maxRad } = jointRanges[index] as (typeof jointRanges)[number];
    return new SimulatedServo({ startRad: angleRad, restRad: index === 0 ? null : angleRad, minRad, maxRad });
  });
}

/** Pushes an antenna inwards: asleep, the antennas hang outwards near the end of their range. */
export function pushAntenna(servos: readonly SimulatedServo[], antenna: AntennaSide): void {
  servos[motorNames.indexOf(`${antenna}_antenna`)]?.push(antenna === 'right' ? TOUCH_RAD : -TOUCH_RAD, TOUCH_S);
}
