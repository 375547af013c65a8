import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startTimeOf } from '../../shared/processes/process-identity.ts';
import type { Assignment } from '../assignment.ts';

/**
 * The assignment of a guardian for the daemon in this process.
 * @param hasWindow whether this process is a browser, which leaves processes of its own when it crashes
 * @throws the system's error when a file of the program is missing
 */
export async function guardAssignment(
  { dataDir, robot, serialPort }: Pick<Assignment, 'dataDir' | 'robot' | 'serialPort'>,
  { assetsDir, hasWindow }: { readonly assetsDir: string; readonly hasWindow: boolean },
): Promise<Assignment> {
  const { pid, platform, execPath } = process;
  const [hardware, startTime] = await Promise.all([
    readFile(join(assetsDir, 'hardware', 'lite.json'), 'utf8'),
    platform === 'win32' ? null : startTimeOf(pid), // there it takes a second
  ]);
  const program = hasWindow ? execPath : null;
  return { dataDir, pid, program, startTime, robot, serialPort, hardware: JSON.parse(hardware) };
}
