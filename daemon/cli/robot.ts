import { DaemonError } from '../client/daemon-error.ts';
import { problemText } from '../contract/robot/problem-text.ts';
import type { MotionReport } from '../contract/robot/robot.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { DataPaths } from '../shared/files/data-paths.ts';
import { onDaemon } from './shared/on-daemon.ts';
import { type JsonOption, printResult, textTable } from './shared/print.ts';

/** `robot-daemon robot wake` */
export function wake(paths: DataPaths, options: JsonOption): Promise<void> {
  return onDaemon(paths, async ({ client, signal }) => {
    const report = await client.call('wakeUpRobot', { signal });
    printResult(options, report, `${endText(report)}\n`);
  });
}

/** `robot-daemon robot sleep` */
export function sleep(paths: DataPaths, options: JsonOption): Promise<void> {
  return onDaemon(paths, async ({ client, signal }) => {
    const report = await client.call('putRobotToSleep', { signal });
    printResult(options, report, `${endText(report)}\n`);
  });
}

/** `robot-daemon robot stop` */
export function stop(paths: DataPaths, options: JsonOption): Promise<void> {
  return onDaemon(paths, async ({ client }) => {
    printResult(options, await client.call('stopRobot'), 'The robot is stopped.\n');
  });
}

/** `robot-daemon robot moves` */
export function listMoves(paths: DataPaths, options: JsonOption): Promise<void> {
  return onDaemon(paths, async ({ client }) => {
    const moves = await client.call('listMoves');
    const rows = moves.map((move) => [move.name, move.kind, `${move.durationS.toFixed(1)} s`, move.description]);
    const text = rows.length === 0 ? 'No moves.\n' : textTable(['NAME', 'KIND', 'TAKES', 'DESCRIPTION'], rows);
    printResult(options, moves, text);
  });
}

class NoSuchMove extends DomainError {
  constructor(name: string) {
    super(`The robot has no move "${name}". "robot-daemon robot moves" lists them.`);
  }
}

/** `robot-daemon robot play` */
export function play(paths: DataPaths, name: string, options: JsonOption): Promise<void> {
  return onDaemon(paths, async ({ client }) => {
    const robot = await client.call('playMove', { params: { name }, body: {} }).catch((error: unknown) => {
      throw error instanceof DaemonError && error.status === 404 ? new NoSuchMove(name) : error;
    });
    printResult(options, robot, `The robot plays ${name}.\n`);
  });
}

/** The end of a motion, for a person. */
function endText({ outcome, robot }: MotionReport): string {
  const problem = problemText(robot);
  const end = outcome === 'done' ? `The robot is ${robot.state}.` : `The motion was ${outcome}.`;
  return problem === null ? end : `${end} ${problem}`;
}
