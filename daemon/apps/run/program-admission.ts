import type { SlotHolder } from '../../contract/apps/app-slot.ts';
import { MotionRefused, UnknownRun } from '../../robot/errors.ts';
import type { AdmitProgram, MotionPass } from '../../robot/sdk-session.ts';
import type { AppRunner } from './app-runner.ts';
import type { AppSlot, Lease } from './app-slot.ts';
import { AppAlreadyRunning } from './errors.ts';

/** A program started by hand holds the slot for this time after its last motion. */
const LEASE_MS = 2_000;

/**
 * Decides which program may move the robot: the running app or, while no app runs, a program that was started by hand.
 * Such a program holds the slot as a local app, or as a remote session from another machine, while it commands motion.
 */
export function programAdmission(deps: { runner: AppRunner; slot: AppSlot }): AdmitProgram {
  return ({ runToken, clientName, remote }) =>
    runToken === null
      ? otherProgram(deps.slot, { kind: remote ? 'remote-session' : 'local-app', name: clientName })
      : managedApp(deps.runner, runToken);
}

function managedApp(runner: AppRunner, token: string): MotionPass {
  if (!runner.connected(token)) throw new UnknownRun();
  let endStop = () => {};
  return {
    requireMotion: () => {
      if (!runner.isRunning(token)) throw new MotionRefused('This run of the app has ended.');
    },
    onStop: (listener) => {
      endStop = runner.onStopAsked(token, listener);
    },
    silent: (isSilent) => runner.setSdkAnswering(token, !isSilent),
    leave: () => endStop(),
  };
}

function otherProgram(slot: AppSlot, holder: SlotHolder): MotionPass {
  let lease: Lease | null = null;
  let timer: NodeJS.Timeout | undefined;
  let untilMs = 0;
  const release = () => {
    clearTimeout(timer);
    untilMs = 0;
    lease?.release();
    lease = null;
  };
  return {
    requireMotion: (durationS) => {
      try {
        lease ??= slot.take(holder);
      } catch (error) {
        if (error instanceof AppAlreadyRunning) throw new MotionRefused(error.message, { cause: error });
        throw error;
      }
      clearTimeout(timer);
      untilMs = Math.max(untilMs, performance.now() + durationS * 1000 + LEASE_MS); // a long motion outlasts a short one
      timer = setTimeout(release, untilMs - performance.now());
    },
    onStop: () => {},
    silent: (isSilent) => {
      if (isSilent) release();
    },
    leave: release,
  };
}
