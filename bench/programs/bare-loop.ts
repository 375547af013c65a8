/** Runs the control loop without work until SIGTERM, then prints its start times: the jitter of the machine's timers alone. */

import { ControlLoop } from '../../daemon/robot/control-loop.ts';
import { systemClock } from '../../daemon/shared/clock.ts';
import { createLogger } from '../../daemon/shared/logger.ts';

const turnsS: number[] = [];
new ControlLoop(systemClock, createLogger('error')).start(async (nowS) => {
  turnsS.push(nowS);
});
console.log('turning');
process.once('SIGTERM', () => {
  process.stdout.write(`${JSON.stringify(turnsS)}\n`, () => process.exit(0));
});
