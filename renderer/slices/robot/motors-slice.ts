import type { DaemonClient } from '../../../daemon/client/calls.ts';
import type { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { Motor } from '../../../daemon/contract/robot/robot.ts';
import { asDaemonError } from '../../api/daemon-error.ts';
import type { SetState } from '../base/slice.ts';

export interface MotorsSlice {
  /** Those last loaded, since no event reports them; null: never loaded. */
  readonly motors: readonly Motor[] | null;
  readonly motorsFailure: DaemonError | null;
  readonly loadMotors: (signal: AbortSignal) => Promise<void>;
}

export function createMotorsSlice(set: SetState<MotorsSlice>, daemon: DaemonClient): MotorsSlice {
  return {
    motors: null,
    motorsFailure: null,
    async loadMotors(signal) {
      try {
        const motors = await daemon.call('listMotors', { signal });
        if (!signal.aborted) set({ motors, motorsFailure: null });
      } catch (error) {
        if (!signal.aborted) set({ motorsFailure: asDaemonError(error) });
      }
    },
  };
}
