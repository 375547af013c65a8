import type { Endpoint, EndpointType } from '../../../daemon/contract/endpoints/endpoint.ts';
import type { EndpointChange } from '../../../daemon/contract/endpoints/endpoint-request.ts';

/** The fields as typed. */
export interface ScalingValues {
  readonly type: EndpointType;
  readonly minReplica: string;
  readonly maxReplica: string;
  /** Minutes. */
  readonly scaleToZeroTimeout: string;
}

export const scalingFields = ['type', 'minReplica', 'maxReplica', 'scaleToZeroTimeout'] as const;
export type ScalingField = (typeof scalingFields)[number];
/** A message for each invalid field. */
export type ScalingProblems = { readonly [F in ScalingField]?: string };

/** The daemon's default, for an endpoint that may sleep again. */
const DEFAULT_MINUTES = 15;
/** The largest number that the daemon takes. */
const MOST = 2 ** 31 - 1;
const WHOLE_NUMBER = 'A whole number, 0 or more.';

export function valuesOf({ type, compute: { scaling } }: Endpoint): ScalingValues {
  return {
    type,
    minReplica: String(scaling.minReplica),
    maxReplica: String(scaling.maxReplica),
    scaleToZeroTimeout: String(scaling.scaleToZeroTimeout ?? DEFAULT_MINUTES),
  };
}

/** Parses digits only; null: it is no such number. */
function wholeNumber(text: string): number | null {
  const trimmed = text.trim();
  return /^\d{1,10}$/.test(trimmed) && Number(trimmed) <= MOST ? Number(trimmed) : null;
}

/** Whether the endpoint can sleep with these settings. */
export const canSleep = ({ minReplica }: ScalingValues): boolean => !((wholeNumber(minReplica) ?? 0) > 0);

export function problemsOf(values: ScalingValues): ScalingProblems {
  const [min, max] = [wholeNumber(values.minReplica), wholeNumber(values.maxReplica)];
  return {
    ...(min === null && { minReplica: WHOLE_NUMBER }),
    ...(max === null && { maxReplica: WHOLE_NUMBER }),
    ...(min !== null && max !== null && max < min && { maxReplica: `Must not be below "At least" (${min}).` }),
    ...(canSleep(values) && wholeNumber(values.scaleToZeroTimeout) === null && { scaleToZeroTimeout: WHOLE_NUMBER }),
  };
}

/** The change, of valid values only: the members that differ. null: none does. */
export function changeOf(values: ScalingValues, endpoint: Endpoint): EndpointChange | null {
  const before = endpoint.compute.scaling;
  const wanted = {
    minReplica: wholeNumber(values.minReplica) ?? before.minReplica,
    maxReplica: wholeNumber(values.maxReplica) ?? before.maxReplica,
    scaleToZeroTimeout: canSleep(values) ? wholeNumber(values.scaleToZeroTimeout) : null,
  };
  const isSame =
    wanted.minReplica === before.minReplica &&
    wanted.maxReplica === before.maxReplica &&
    wanted.scaleToZeroTimeout === before.scaleToZeroTimeout;
  const change: EndpointChange = {
    ...(values.type !== endpoint.type && { type: values.type }),
    ...(!isSame && { compute: { scaling: wanted } }),
  };
  return Object.keys(change).length === 0 ? null : change;
}

interface IssueLike {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The field that an issue of the daemon is about; undefined: none of the form. */
export const fieldOf = ({ path }: IssueLike): ScalingField | undefined =>
  scalingFields.find((field) => field === path.at(-1));
