/** The guardian as a program of its own: `robot-daemon guard`. The program of the daemon starts it, and speaks to it on its standard input. */
import { systemClock } from '../shared/clock.ts';
import { createLogger } from '../shared/logger.ts';
import { Guardian } from './guardian.ts';
import { programInMemory } from './program-in-memory.ts';

const BAD_ARGUMENTS = 2;

if (process.stdin.isTTY) {
  process.stderr.write(
    'robot-daemon guard: Nobody tells this guardian what to guard. Robot Desktop starts its own: there is nothing to do in a terminal.\n',
  );
  process.exitCode = BAD_ARGUMENTS;
} else {
  const log = createLogger('info');
  process.stderr.on('error', () => {}); // the terminal of the window was closed
  new Guardian({
    input: process.stdin,
    process,
    rescue: programInMemory(import.meta.dirname),
    exit: (code) => process.exit(code),
    clock: systemClock,
    log,
  }).start();
}
