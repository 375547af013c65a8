import { CUSTOM_TASK, servesTask } from '../../../daemon/contract/apps/need-tasks.ts';
import type { AssignedNeed } from '../../../daemon/contract/apps/needs.ts';
import type { OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import { endpointId } from '../../../daemon/contract/endpoints/endpoint-id.ts';
import { endpointKey } from '../../slices/models/endpoints-slice.ts';
import { endpointStateText } from '../endpoints/endpoint-text.ts';

/** An entry of the list of a need's endpoints. */
export interface NeedOption {
  /** The endpoint's id; empty: none. */
  readonly value: string;
  readonly label: string;
}

export interface NeedChoice {
  readonly options: readonly NeedOption[];
  /** The assigned endpoint; null: none, or it is gone. */
  readonly assigned: OwnEndpoint | null;
  /** Whether an endpoint was assigned that does not exist any more. */
  readonly isGone: boolean;
  /** Whether any endpoint can be chosen. */
  readonly fits: boolean;
}

/**
 * The endpoints that a need may be assigned to, by name.
 * @param endpoints null: not loaded yet
 */
export function needChoice(need: AssignedNeed, endpoints: readonly OwnEndpoint[] | null): NeedChoice {
  const current = need.endpoint && endpointId(need.endpoint);
  const known = endpoints ?? [];
  const assigned = known.find((each) => endpointKey(each) === current) ?? null;
  const isGone = current !== null && endpoints !== null && assigned === null;
  const fitting = known.filter(({ endpoint }) => servesTask(need.task, endpoint.model.task));
  // It may have been changed to another task since.
  const shown = assigned && !fitting.includes(assigned) ? [...fitting, assigned] : fitting;
  const options = shown
    .map((each) => ({ value: endpointKey(each), label: label(need.task, each) }))
    .toSorted((a, b) => a.value.localeCompare(b.value, 'en'));
  const none = { value: '', label: need.optional ? 'None' : 'Choose an endpoint' };
  const missing =
    current === null || assigned ? [] : [{ value: current, label: isGone ? `${current}: deleted` : current }];
  return { options: [none, ...missing, ...options], assigned, isGone, fits: fitting.length > 0 };
}

function label(task: string, ownEndpoint: OwnEndpoint): string {
  const { model } = ownEndpoint.endpoint;
  const served = model.task;
  const note = served === CUSTOM_TASK ? ', custom task' : servesTask(task, served) ? '' : `, serves ${served}`;
  return `${endpointKey(ownEndpoint)}: ${endpointStateText(ownEndpoint).word}, ${model.repository}${note}`;
}
