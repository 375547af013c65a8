import type { Scaling, ScalingFields, ScalingMeasure } from '../../contract/compute/endpoint-compute.ts';
import type { AddIssue } from './problems.ts';

/** Minutes of inactivity before an endpoint scales to zero. */
const DEFAULT_SLEEP_MINUTES = 15;

const THRESHOLD_WITHOUT_METRIC =
  'It is not known what this threshold is for: send measure instead, such as {"hardwareUsage": 80}.';

/** Defaults for fields that the caller omitted. */
export const defaultScaling: Scaling = {
  minReplica: 0,
  maxReplica: 1,
  scaleToZeroTimeout: DEFAULT_SLEEP_MINUTES,
  measure: null,
};

/**
 * Applies a change to the scaling. Omitted fields stay. `scaleToZeroTimeout` is null exactly when `minReplica` is above
 * 0; a null in the request asks for the default: null or 15 minutes.
 */
export function changedScaling(before: Scaling, wanted: ScalingFields, addIssue: AddIssue): Scaling {
  const { minReplica = before.minReplica, maxReplica = before.maxReplica } = wanted;
  if (minReplica > maxReplica) {
    const [min, max] = [valueText(minReplica, wanted.minReplica), valueText(maxReplica, wanted.maxReplica)];
    addIssue(
      [wanted.minReplica === undefined ? 'maxReplica' : 'minReplica'],
      `minReplica, ${min}, is more than maxReplica, ${max}.`,
    );
  }
  return {
    minReplica,
    maxReplica,
    scaleToZeroTimeout: sleepMinutes(before, wanted, minReplica, addIssue),
    measure: measureOf(wanted, before, addIssue),
  };
}

function valueText(value: number, wanted: number | undefined): string {
  return wanted === undefined ? `${value} (not in the request)` : String(value);
}

function sleepMinutes(before: Scaling, wanted: ScalingFields, minReplica: number, addIssue: AddIssue): number | null {
  const { scaleToZeroTimeout: minutes } = wanted;
  if (minReplica > 0) {
    if (typeof minutes === 'number') {
      const min = valueText(minReplica, wanted.minReplica);
      addIssue(['scaleToZeroTimeout'], `scaleToZeroTimeout needs a minReplica of 0; it is ${min}.`);
    }
    return null;
  }
  return (minutes === undefined ? before.scaleToZeroTimeout : minutes) ?? DEFAULT_SLEEP_MINUTES;
}

/**
 * The measure, into which the deprecated `metric` and `threshold` are read. What `measure` says wins over them; a null
 * says nothing, since some clients send one for each field that they omit. A threshold without a metric is that of the
 * current measure, and a metric without a threshold keeps the current one.
 */
function measureOf(wanted: ScalingFields, before: Scaling, addIssue: AddIssue): ScalingMeasure | null {
  const { measure, metric: older, threshold } = wanted;
  const current = measure === undefined ? before.measure : measure;
  const [currentMetric, currentThreshold] = current ? metricAndThreshold(current) : [null, null];
  if (measure && (currentThreshold !== null || (older && older !== currentMetric))) return measure;
  const metric = older ?? currentMetric;
  if (metric === null) {
    if (typeof threshold === 'number') addIssue(['threshold'], THRESHOLD_WITHOUT_METRIC);
    return null;
  }
  if (typeof threshold === 'number') return measureFrom(metric, threshold, addIssue);
  const isChanged = older && (older !== currentMetric || threshold === null);
  return isChanged ? measureFrom(metric, null, addIssue) : current;
}

type Metric = NonNullable<ScalingFields['metric']>;

function metricAndThreshold({ hardwareUsage, pendingRequests }: ScalingMeasure): [Metric, number | null] {
  return hardwareUsage === undefined ? ['pendingRequests', pendingRequests ?? null] : ['hardwareUsage', hardwareUsage];
}

function measureFrom(metric: Metric, threshold: number | null, addIssue: AddIssue): ScalingMeasure {
  if (metric === 'pendingRequests') return { pendingRequests: threshold };
  if (threshold !== null && threshold > 100) addIssue(['threshold'], 'A hardware usage is at most 100 percent.');
  return { hardwareUsage: threshold };
}
