import { MotionRefused, UnknownRun } from '../../robot/errors.ts';
import type { AdmitProgram, MotionPass } from '../../robot/sdk-session.ts';
import type { Clock } from '../../shared/clock.ts';
import type { AppRunner } from './app-runner.ts';
import type { AppSlot, Lease } from './app-slot.ts';
import { AppAlreadyRunning } from './errors.ts';

/** A program started by hand holds the slot for this time after its last motion. */
const LEASE_MS = 2_000;

/** The slot while connections of one program hold it. It is free after the last of them. */
interface SharedSlot {
  readonly programId: string | undefined;
  readonly lease: Lease;
  connections: number;
}

/**
 * Decides which program may move the robot: the running app or, while no app runs, a program that was started by hand.
 * Such a program holds the slot as a local app, or as a remote session from another machine, while it commands motion; its
 * connections share the slot, such as that of a notebook's earlier cell.
 */
export function programAdmission(deps: { runner: AppRunner; slot: AppSlot; clock: Clock }): AdmitProgram {
  const { runner, slot, clock } = deps;
  let shared: SharedSlot | null = null;
  return ({ runToken, clientName, programId, remote }) => {
    if (runToken !== null) return managedApp(runner, runToken);
    const holder = { kind: remote ? 'remote-session' : 'local-app', name: clientName } as const;
    const take = () => {
      const isOwn = programId !== undefined && shared?.programId === programId && shared.connections > 0;
      const held = isOwn && shared ? shared : { programId, lease: slot.take(holder), connections: 0 };
      shared = held;
      held.connections += 1;
      return () => {
        held.connections -= 1;
        if (held.connections === 0) held.lease.release();
      };
    };
    return otherProgram(clock, take);
  };
}

function managedApp(runner: AppRunner, token: string): MotionPass {
  const run = runner.runWith(token);
  if (!run) throw new UnknownRun();
  run.hello();
  let endStop = () => {};
  return {
    requireMotion: () => {
      if (!runner.runWith(token)) throw new MotionRefused('This run of the app has ended.');
    },
    onStop: (listener) => {
      endStop = run.onStopAsked(listener);
    },
    silent: (isSilent) => run.setSdkAnswering(!isSilent),
    leave: () => endStop(),
  };
}

/** @param take takes the slot, or joins it. @returns lets go. @throws AppAlreadyRunning */
function otherProgram(clock: Clock, take: () => () => void): MotionPass {
  let letGo: (() => void) | null = null;
  let cancelRelease = () => {};
  let untilMs = 0;
  const release = () => {
    cancelRelease();
    untilMs = 0;
    letGo?.();
    letGo = null;
  };
  return {
    requireMotion: (durationS) => {
      try {
        letGo ??= take();
      } catch (error) {
        if (error instanceof AppAlreadyRunning) throw new MotionRefused(error.message, { cause: error });
        throw error;
      }
      cancelRelease();
      untilMs = Math.max(untilMs, clock.elapsedMs() + durationS * 1000 + LEASE_MS); // a long motion outlasts a short one
      cancelRelease = clock.after(untilMs - clock.elapsedMs(), release);
    },
    onStop: () => {},
    silent: (isSilent) => {
      if (isSilent) release();
    },
    leave: release,
  };
}
