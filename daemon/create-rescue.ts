import { interruptedRun } from './apps/run/started-run.ts';
import { ContainerRegister } from './containers/container-register.ts';
import { endRecordedContainers } from './containers/leftover-containers.ts';
import { liteParts } from './create-lite-backend.ts';
import { Assignment } from './guardian/assignment.ts';
import { foldLimits, foldRobot } from './guardian/fold-robot.ts';
import { rescue, takeFolder } from './guardian/rescue.ts';
import type { RescuedRobot } from './guardian/unexpected-end.ts';
import { endWindowProcesses } from './guardian/window-processes.ts';
import { ControlLoop } from './robot/control-loop.ts';
import { Hardware } from './robot/lite/hardware.ts';
import { Robot } from './robot/robot.ts';
import { settlesWithin } from './shared/async/settles-within.ts';
import { type Clock, systemClock } from './shared/clock.ts';
import { lockDataFolder } from './shared/data-folder/data-folder-lock.ts';
import { type DataPaths, dataPaths } from './shared/files/data-paths.ts';
import { writeJsonFile } from './shared/files/json-file.ts';
import { createLogger, type Logger } from './shared/logger.ts';
import { endOrphans } from './shared/processes/orphans.ts';
import { startTimeOf } from './shared/processes/process-identity.ts';

/** A host that crashes may dump its memory before its files are closed. */
const TAKE_WITHIN_MS = 10_000;
const ORPHANS_MS = 2_000;
/** An engine that answers needs a part of it, on a busy machine too; the next daemon waits for the rest. */
const CONTAINERS_MS = 10_000;

/**
 * Composes and runs the rescue after a daemon that did not end in order. It reads no file of the program.
 * @throws Error when the assignment is none
 */
export async function rescueDaemon(assignment: unknown): Promise<void> {
  const given = Assignment.parse(assignment);
  const { dataDir, pid, program, startTime } = given;
  const clock = systemClock;
  const log = createLogger('info');
  const paths = dataPaths(dataDir);
  await rescue({
    takeFolder: () =>
      takeFolder({
        lock: () => lockDataFolder(paths, null, true),
        hostPid: pid,
        isHostGone: async () => ((found) => found === null || found !== startTime)(await startTimeOf(pid)),
        withinMs: TAKE_WITHIN_MS,
        clock,
        log,
      }),
    runningApp: async () => (await interruptedRun(paths.runs))?.appName ?? null,
    endProcesses: async () => (await endOrphans(paths, ORPHANS_MS)).gone,
    endContainers: () => endContainers(paths, clock, log),
    foldRobot: () => fold(given, clock, log),
    endWindow: async () => program === null || endWindowProcesses(program, ORPHANS_MS),
    record: (end) => writeJsonFile(paths.unexpectedEndFile, end),
    now: clock.now,
    log,
  });
}

/** @returns whether none is left; the next daemon removes those that are. @throws ContainerEngineGone */
async function endContainers({ root, containersFile: file }: DataPaths, clock: Clock, log: Logger): Promise<boolean> {
  const ending = endRecordedContainers(new ContainerRegister({ file, dataDir: root, log }), clock);
  if (!(await settlesWithin(clock, CONTAINERS_MS, ending))) {
    log.warn(`guardian: containers still run after ${CONTAINERS_MS / 1000} s: their engine is slow`);
    return false;
  }
  const count = await ending;
  if (count > 0) log.info(`guardian: removed ${count} containers`);
  return true;
}

/** Simulated and emulated robots are parts of the daemon, and ended with it. */
async function fold(
  { robot: choice, serialPort, hardware }: Assignment,
  clock: Clock,
  log: Logger,
): Promise<RescuedRobot> {
  if (choice === 'simulation' || choice === 'emulator') return { state: 'simulated' };
  const { createLite, findPorts } = liteParts({ hardware: Hardware.parse(hardware), serialPort, clock, log });
  // A daemon that takes a robot if there is one ran on a simulated one.
  if (choice === 'auto' && (await findPorts()).length === 0) return { state: 'simulated' };
  return foldRobot(
    clock,
    new Robot({ backend: createLite(), loop: new ControlLoop(clock, log), publish: () => {}, log }),
    foldLimits,
  );
}
