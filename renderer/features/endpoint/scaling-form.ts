import type { Issue } from '../../../daemon/contract/common/common.ts';
import type { ScalingMeasure } from '../../../daemon/contract/compute/endpoint-compute.ts';
import { MAX_REPLICAS, TOO_MANY_REPLICAS } from '../../../daemon/contract/compute/scaling-limits.ts';
import { type Balancing, balancingChange, balancingOf } from '../../../daemon/contract/endpoints/balancing.ts';
import type { Endpoint, EndpointType } from '../../../daemon/contract/endpoints/endpoint.ts';
import type { EndpointChange } from '../../../daemon/contract/endpoints/endpoint-request.ts';
import { belowMinText, wholeNumberText } from '../deploy/deploy-text.ts';
import { fixedReplicasText, type Measure, oneReplicaText, thresholdProblems } from './endpoint-page-text.ts';

/** The fields as typed. */
export interface ScalingValues {
  readonly type: EndpointType;
  readonly minReplica: string;
  readonly maxReplica: string;
  /** Minutes. */
  readonly scaleToZeroTimeout: string;
  /** The measure that starts more replicas. */
  readonly measure: Measure;
  /** Requests of a replica, or percent; empty: the daemon's own. */
  readonly threshold: string;
  readonly balancing: Balancing;
}

const scalingFields = ['type', 'minReplica', 'maxReplica', 'scaleToZeroTimeout', 'threshold'] as const;
export type ScalingField = (typeof scalingFields)[number];
/** A message for each invalid field. */
type ScalingProblems = { readonly [F in ScalingField]?: string };

/** The daemon's default, for an endpoint that may sleep again. */
const DEFAULT_MINUTES = 15;
/** The most minutes that the daemon takes. */
const MOST = 2 ** 31 - 1;
export function valuesOf(endpoint: Endpoint): ScalingValues {
  const { type, compute } = endpoint;
  const { minReplica, maxReplica, scaleToZeroTimeout, measure } = compute.scaling;
  return {
    type,
    minReplica: String(minReplica),
    maxReplica: String(maxReplica),
    scaleToZeroTimeout: String(scaleToZeroTimeout ?? DEFAULT_MINUTES),
    // Without a measure, the daemon uses that of pending requests.
    measure: measure?.hardwareUsage === undefined ? 'pendingRequests' : 'hardwareUsage',
    threshold: String(measure?.hardwareUsage ?? measure?.pendingRequests ?? ''),
    balancing: balancingOf(endpoint),
  };
}

/** Parses digits only; null: it is no such number. */
function wholeNumber(text: string): number | null {
  const trimmed = text.trim();
  return /^\d{1,10}$/.test(trimmed) && Number(trimmed) <= MOST ? Number(trimmed) : null;
}

/** Parses a number such as `1.5` or `1,5`; null: the text is empty, undefined: it is no threshold of the measure. */
function thresholdOf({ threshold, measure }: ScalingValues): number | null | undefined {
  const trimmed = threshold.trim().replace(',', '.');
  if (trimmed === '') return null;
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(trimmed)) return;
  const value = Number(trimmed);
  return measure === 'hardwareUsage' && value > 100 ? undefined : value;
}

/** Whether the endpoint can sleep with these settings. */
export const canSleep = ({ minReplica }: ScalingValues): boolean => !((wholeNumber(minReplica) ?? 0) > 0);

/** Why the measure or the rule for requests does nothing yet; null: both have an effect. */
export function withoutEffect(values: ScalingValues): string | null {
  const [min, max] = [wholeNumber(values.minReplica), wholeNumber(values.maxReplica)];
  if (min === null || max === null || max < min) return null;
  if (max <= 1) return oneReplicaText;
  return max === min ? fixedReplicasText(max) : null;
}

/** Why a number of replicas is refused, at its field. @param replicas null: it is no number */
function replicasProblem(field: 'minReplica' | 'maxReplica', replicas: number | null): ScalingProblems {
  if (replicas === null) return { [field]: wholeNumberText };
  return replicas > MAX_REPLICAS ? { [field]: TOO_MANY_REPLICAS } : {};
}

export function problemsOf(values: ScalingValues): ScalingProblems {
  const [min, max] = [wholeNumber(values.minReplica), wholeNumber(values.maxReplica)];
  return {
    ...(min !== null && max !== null && max < min && { maxReplica: belowMinText(min) }),
    ...replicasProblem('minReplica', min),
    ...replicasProblem('maxReplica', max),
    ...(canSleep(values) && wholeNumber(values.scaleToZeroTimeout) === null && { scaleToZeroTimeout: wholeNumberText }),
    ...(thresholdOf(values) === undefined && { threshold: thresholdProblems[values.measure] }),
  };
}

/** The change, of valid values only: the members that differ. null: none does. */
export function changeOf(values: ScalingValues, endpoint: Endpoint): EndpointChange | null {
  const before = valuesOf(endpoint);
  const scaling = scalingChange(values, endpoint);
  const change: EndpointChange = {
    ...(values.type !== before.type && { type: values.type }),
    ...(Object.keys(scaling).length > 0 && { compute: { scaling } }),
    ...(values.balancing !== before.balancing && balancingChange(values.balancing)),
  };
  return Object.keys(change).length === 0 ? null : change;
}

/** The replicas and the sleep depend on each other and are sent together; the measure only if it differs. */
function scalingChange(values: ScalingValues, { compute: { scaling: before } }: Endpoint) {
  const wanted = {
    minReplica: wholeNumber(values.minReplica) ?? before.minReplica,
    maxReplica: wholeNumber(values.maxReplica) ?? before.maxReplica,
    scaleToZeroTimeout: canSleep(values) ? wholeNumber(values.scaleToZeroTimeout) : null,
  };
  const isSame =
    wanted.minReplica === before.minReplica &&
    wanted.maxReplica === before.maxReplica &&
    wanted.scaleToZeroTimeout === before.scaleToZeroTimeout;
  const threshold = thresholdOf(values) ?? null;
  const isSameMeasure =
    threshold === (before.measure?.hardwareUsage ?? before.measure?.pendingRequests ?? null) &&
    (values.measure === 'hardwareUsage') === (before.measure?.hardwareUsage !== undefined);
  const measure: ScalingMeasure = { [values.measure]: threshold };
  return { ...(!isSame && wanted), ...(!isSameMeasure && { measure }) };
}

/** The field that an issue of the daemon is about; undefined: none of the form. */
export function fieldOf({ path }: Issue): ScalingField | undefined {
  if (path.includes('measure')) return 'threshold';
  return scalingFields.find((field) => field === path.at(-1));
}
