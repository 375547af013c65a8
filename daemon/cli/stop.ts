import type { DataPaths } from '../shared/files/data-paths.ts';
import { endDaemon } from './end-daemon.ts';
import { type Holder, holderOf } from './shared/holder.ts';
import { print } from './shared/print.ts';

/** `robot-daemon stop` */
export async function stop(paths: DataPaths): Promise<void> {
  const holder = await holderOf(paths);
  if (!holder) {
    print(`No robot daemon runs on ${paths.root}.\n`);
    return;
  }
  printStopping(holder);
  printStopped(await endDaemon(holder, paths));
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
