import type { AppSlotState } from '../../../daemon/contract/apps/app-slot.ts';
import type { EndpointsStatus } from '../../../daemon/contract/endpoints/endpoint.ts';
import type { Job } from '../../../daemon/contract/jobs.ts';
import { counted } from '../../parts/format.ts';

/** Why this page cannot restart the daemon. */
export const STARTED_ELSEWHERE =
  'Restart the daemon where it was started, in a terminal or as a service: this page cannot.';

export const restartHelp = 'Stops the app and the models, folds the robot, and starts again.';
export const restartCodeHelp = 'Sign this browser in, above, with a code.';
export const COMES_BACK = 'The daemon starts again by itself, and this page reconnects.';
export const noneStopsText = 'No app, no endpoint and no job is interrupted.';

interface Running {
  readonly slot: AppSlotState;
  /** The name of the slot's holder for a person; null: nobody has it. */
  readonly holder: string | null;
  readonly jobs: readonly Job[];
  readonly endpoints: EndpointsStatus | null;
}

/** The things that a restart stops, each in a sentence; empty: nothing. */
export function stopsText({ slot, holder, jobs, endpoints }: Running): string[] {
  const active = jobs.filter(({ endedAt }) => endedAt === null).length;
  const { running = 0, initializing = 0, updating = 0 } = endpoints?.states ?? {};
  const awake = running + initializing + updating;
  return [
    ...(holder === null ? [] : [slot.state === 'stopping' ? `${holder} is stopping.` : `${holder} stops.`]),
    ...(awake === 0 ? [] : [endpointsText(awake)]),
    ...(active === 0 ? [] : [`${counted(active, 'job')} ${active === 1 ? 'ends' : 'end'} unfinished.`]),
  ];
}

const endpointsText = (awake: number): string =>
  `${counted(awake, 'endpoint')} ${awake === 1 ? 'stops and starts' : 'stop and start'} again.`;

/** Whether the daemon asks before it interrupts it. */
export const isInterrupting = ({ slot, jobs }: Pick<Running, 'slot' | 'jobs'>): boolean =>
  slot.state !== 'free' || jobs.some(({ endedAt }) => endedAt === null);
