import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { UtilityProcess } from 'electron';
import { exitOfCode, type ForkNode } from '../daemon/shared/processes/fork-node.ts';

interface UtilityProcesses {
  fork(
    program: string,
    args: string[],
    options: { env: Record<string, string>; stdio: 'pipe'; serviceName: string },
  ): Pick<UtilityProcess, 'pid' | 'stdout' | 'stderr'> & NodeJS.EventEmitter;
}

/**
 * Starts Node programs in the desktop program, whose binary does not run as plain Node. Such a child leads no process
 * group; Electron ends it with the desktop program.
 */
export function utilityForkNode(utilityProcess: UtilityProcesses, whenReady: () => Promise<void>): ForkNode {
  return async (program, args, { env }) => {
    await whenReady(); // Electron refuses it before
    const child = utilityProcess.fork(program, [...args], {
      env: { ...env },
      stdio: 'pipe',
      serviceName: 'Robot Desktop model',
    });
    const ended = new Promise<number>((resolve) => child.once('exit', resolve));
    const isStarted = await Promise.race([once(child, 'spawn').then(() => true), ended.then(() => false)]);
    const { pid, stdout, stderr } = child;
    if (!isStarted || pid === undefined) throw new Error(`Electron could not start ${program}.`);
    const exited = ended.then(exitOfCode);
    return { pid, stdout: stdout as Readable, stderr: stderr as Readable, exited };
  };
}
