/** Turns 50 times a second and does nothing, as long as it is let: what the machine and its timers alone are capable of. */

import { ControlLoop } from '../../daemon/robot/control-loop.ts';
import { createLogger } from '../../daemon/shared/logger.ts';

const turnsS: number[] = [];
new ControlLoop(createLogger('error')).start(async (nowS) => {
  turnsS.push(nowS);
});
console.log('turning');
process.once('SIGTERM', () => {
  process.stdout.write(`${JSON.stringify(turnsS)}\n`, () => process.exit(0));
});
