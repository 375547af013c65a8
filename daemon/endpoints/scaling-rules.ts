import type { Scaling, ScalingFields, ScalingMeasure } from '../contract/compute/endpoint-compute.ts';
import type { Complain } from './problems.ts';

/** Minutes without use before an endpoint that may sleep does. */
const DEFAULT_SLEEP_MINUTES = 15;

/** Defaults for fields the caller left out. */
export const defaultScaling: Scaling = {
  minReplica: 0,
  maxReplica: 1,
  scaleToZeroTimeout: DEFAULT_SLEEP_MINUTES,
  measure: null,
};

/**
 * The scaling after what is wanted of it. What is left out stays as it was; `scaleToZeroTimeout` is null exactly where
 * `minReplica` is above 0, and null asks for whichever of null and 15 minutes is right then.
 */
export function changedScaling(before: Scaling, wanted: ScalingFields, complain: Complain): Scaling {
  const { minReplica = before.minReplica, maxReplica = before.maxReplica } = wanted;
  if (minReplica > maxReplica) {
    const [min, max] = [toldAs(minReplica, wanted.minReplica), toldAs(maxReplica, wanted.maxReplica)];
    complain(
      [wanted.minReplica === undefined ? 'maxReplica' : 'minReplica'],
      `minReplica, ${min}, is more than maxReplica, ${max}.`,
    );
  }
  return {
    minReplica,
    maxReplica,
    scaleToZeroTimeout: sleepMinutes(before, wanted, minReplica, complain),
    measure: measureOf(wanted, before, complain),
  };
}

function toldAs(value: number, wanted: number | undefined): string {
  return wanted === undefined ? `${value} as nothing else is said` : String(value);
}

function sleepMinutes(before: Scaling, wanted: ScalingFields, minReplica: number, complain: Complain): number | null {
  const { scaleToZeroTimeout: minutes } = wanted;
  if (minReplica > 0) {
    if (typeof minutes === 'number') {
      const min = toldAs(minReplica, wanted.minReplica);
      complain(['scaleToZeroTimeout'], `scaleToZeroTimeout needs a minReplica of 0, and that is ${min}.`);
    }
    return null;
  }
  return (minutes === undefined ? before.scaleToZeroTimeout : minutes) ?? DEFAULT_SLEEP_MINUTES;
}

/** The older words count where `measure` is left out; a threshold of nothing means nothing. */
function measureOf(wanted: ScalingFields, before: Scaling, complain: Complain): ScalingMeasure | null {
  const { measure, metric, threshold = null } = wanted;
  if (measure !== undefined) return measure;
  if (!metric) return before.measure;
  if (metric === 'pendingRequests') return { pendingRequests: threshold };
  if (threshold !== null && threshold > 100) complain(['threshold'], 'A hardware usage is at most 100 percent.');
  return { hardwareUsage: threshold };
}
