import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DaemonOptions } from '../../daemon/daemon-options.ts';
import type { Assignment } from '../../daemon/guardian/assignment.ts';
import { startTimeOf } from '../../daemon/shared/processes/process-identity.ts';

/** The assignment of a guardian for the daemon in this process. @throws the system's error when a file of the program is missing */
export async function guardAssignment(
  { dataDir, robot, serialPort }: Pick<DaemonOptions, 'dataDir' | 'robot' | 'serialPort'>,
  assetsDir: string,
): Promise<Assignment> {
  const { pid, platform, execPath: program } = process;
  const [hardware, startTime] = await Promise.all([
    readFile(join(assetsDir, 'hardware', 'lite.json'), 'utf8'),
    platform === 'win32' ? null : startTimeOf(pid), // there it takes a second
  ]);
  return { dataDir, pid, program, startTime, robot, serialPort, hardware: JSON.parse(hardware) };
}
