import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/** Lets everything else on the machine go first, above all the robot's control loop. */
export function lowerPriority(): void {
  const { PRIORITY_BELOW_NORMAL } = constants.priority;
  // On Linux a priority belongs to a thread; new ones inherit it from the one that starts them.
  const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [process.pid];
  for (const thread of threads) {
    try {
      setPriority(thread, PRIORITY_BELOW_NORMAL);
    } catch {} // it has ended
  }
}
