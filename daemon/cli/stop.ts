import { endDaemon } from './end-daemon.ts';
import { commandArguments } from './shared/command-arguments.ts';
import { type Holder, holderOf } from './shared/holder.ts';
import { print } from './shared/print.ts';
import { reportFailure } from './shared/report-failure.ts';

const help = `Usage: robot-daemon stop [--data-dir <folder>]

Stops the daemon on the data folder: its app stops and the robot folds. A daemon that still runs after 10 s is killed,
with its child processes. The window of Robot Desktop closes with its daemon.

Exit codes: 0 no daemon runs any more, 1 it could not be stopped, 2 bad arguments.
`;

/** `robot-daemon stop` */
export async function stop(argv: readonly string[]): Promise<void> {
  try {
    const given = commandArguments(argv, help);
    if (!given) return;
    const holder = await holderOf(given.paths);
    if (!holder) {
      print(`No robot daemon runs on ${given.paths.root}.\n`);
      return;
    }
    printStopping(holder);
    printStopped(await endDaemon(holder, given.paths));
  } catch (error) {
    reportFailure(error);
  }
}

export function printStopping({ instance, status }: Holder): void {
  const what = instance.desktop ? 'Robot Desktop and its window' : 'the robot daemon';
  const how = status ? '' : ' It does not answer; if it still runs after 10 s, it is killed.';
  print(`Stopping ${what} (process ${instance.pid}): its app stops, the robot folds.${how}\n`);
}

export function printStopped(isOrderly: boolean): void {
  const text = isOrderly ? 'Stopped.' : 'It hung and was killed, with its child processes.';
  print(`${text}\n`);
}
