import { commandArguments } from './command-arguments.ts';
import { endDaemon } from './end-daemon.ts';
import { type Holder, holderOf } from './holder.ts';
import { reportFailure } from './report-failure.ts';

const help = `Usage: robot-daemon stop [--data-dir <folder>]

Ends the daemon that has the data folder: its app is stopped and the robot folds. One that has not ended after 10 s is
ended by force, with all that it started. A daemon in the window of Robot Desktop takes the window along.
Ends with 0 when none runs any more, 1 when it could not be ended, 2 for bad arguments.
`;

/** `robot-daemon stop` */
export async function stop(argv: readonly string[]): Promise<void> {
  try {
    const given = commandArguments(argv, help);
    if (!given) return;
    const holder = await holderOf(given.paths);
    if (!holder) {
      process.stdout.write(`No robot daemon runs on ${given.paths.root}.\n`);
      return;
    }
    sayWhatEnds(holder);
    sayHowItEnded(await endDaemon(holder, given.paths));
  } catch (error) {
    reportFailure(error);
  }
}

export function sayWhatEnds({ instance, status }: Holder): void {
  const what = instance.desktop ? 'Robot Desktop with its window' : 'the robot daemon';
  const how = status ? '' : ' It does not answer: it has 10 s, then it is ended by force.';
  process.stdout.write(`Ending ${what} (process ${instance.pid}): its app is stopped, the robot folds.${how}\n`);
}

export function sayHowItEnded(inOrder: boolean): void {
  const text = inOrder ? 'It has ended in order.' : 'It hung and was ended by force, with all that it had started.';
  process.stdout.write(`${text}\n`);
}
