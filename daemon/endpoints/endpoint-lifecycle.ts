import type { Scaling } from '../contract/compute/endpoint-compute.ts';
import type { EndpointState, EndpointStatus, Person } from '../contract/endpoints/endpoint.ts';

/** What happens to an endpoint: what its runner saw, what somebody asked for. */
export type EndpointEvent =
  /** There is compute for it: a download or a process begins. */
  | { readonly type: 'capacity-reserved' }
  | { readonly type: 'progress'; readonly message: string }
  /** Its health route answered 200. */
  | { readonly type: 'healthy'; readonly url: string }
  /** It cannot be served: a bad file, no memory, too many ends in a row. */
  | { readonly type: 'failed'; readonly message: string }
  /** What served it has ended by itself. */
  | { readonly type: 'exited'; readonly message: string }
  | { readonly type: 'update-requested' }
  | { readonly type: 'update-done'; readonly url: string }
  /** What served it before still does. */
  | { readonly type: 'update-failed'; readonly message: string }
  /** Nobody has used it for as long as its scaleToZeroTimeout says. */
  | { readonly type: 'idle' }
  /** Somebody uses it. */
  | { readonly type: 'requested' }
  | { readonly type: 'scale-to-zero' }
  | { readonly type: 'pause' }
  | { readonly type: 'resume' }
  /** Whatever served it ended with the daemon before this one. */
  | { readonly type: 'daemon-started' };
export type EventType = EndpointEvent['type'];

/** What the status after an event depends on beside the one before. */
export interface Moment {
  readonly now: Date;
  /** Who asked for it; null: nobody, and whoever asked for something last stays named. */
  readonly by: Person | null;
  /** As it is from now on. */
  readonly scaling: Scaling;
  /** What an endpoint that is pending waits for, in one sentence. */
  readonly waitsFor: string;
}

/** Why something that was asked for cannot be done. */
export type Refusal =
  | { readonly refused: 'already-running' | 'no-replicas' }
  | { readonly refused: 'cannot-sleep'; readonly why: string };

/** What endpoints of this machine wait for. */
export const NO_RUNTIME_YET = 'No runtime on this machine yet.';

/** How an endpoint begins; one that may have no replica never starts. */
export function deployed({ now, scaling, waitsFor }: Moment, by: Person): EndpointStatus {
  const at = now.toISOString();
  return {
    ...rest(scaling.maxReplica === 0 ? 'paused' : 'pending', waitsFor),
    ...{ createdAt: at, createdBy: by, updatedAt: at, updatedBy: by, private: null },
  };
}

/**
 * How an endpoint is after an event. What is of no meaning in its state changes nothing and gives the very status that
 * it had: reports of a runner may come late.
 */
export function advance(status: EndpointStatus, event: EndpointEvent, moment: Moment): EndpointStatus | Refusal {
  const next = nextState(status.state, event.type, moment.scaling);
  if (next === null) return status;
  if (typeof next !== 'string') return next;
  const now = moment.now.toISOString();
  return {
    ...appearance(next, status, event, moment),
    createdAt: status.createdAt,
    createdBy: status.createdBy,
    updatedAt: now > status.updatedAt ? now : status.updatedAt, // a clock that was set back
    updatedBy: moment.by ?? status.updatedBy,
    private: status.private,
  };
}

export function isRefusal(result: EndpointStatus | Refusal): result is Refusal {
  return 'refused' in result;
}

type Step = EndpointState | Refusal;
const ALL: readonly EndpointState[] = [
  ...(['pending', 'initializing', 'running', 'updating', 'updateFailed', 'scaledToZero', 'failed', 'paused'] as const),
];
/** Something serves it. */
const SERVED: readonly EndpointState[] = ['running', 'updating', 'updateFailed'];

/** From which states an event leads where; where it leads nowhere it means nothing. */
const steps: Readonly<Record<EventType, Partial<Record<EndpointState, Step>>>> = {
  'capacity-reserved': { pending: 'initializing' },
  progress: { pending: 'pending', initializing: 'initializing', updating: 'updating' },
  healthy: { initializing: 'running' },
  failed: from(['pending', 'initializing', ...SERVED], 'failed'),
  exited: { initializing: 'failed', ...from(SERVED, 'initializing') },
  'update-requested': {
    ...from(['pending', 'initializing', 'failed'], 'pending'),
    ...from(SERVED, 'updating'),
    ...{ scaledToZero: 'scaledToZero', paused: 'paused' },
  },
  'update-done': { updating: 'running' },
  'update-failed': { updating: 'updateFailed' },
  idle: from(['running', 'updateFailed'], 'scaledToZero'),
  requested: { scaledToZero: 'initializing' },
  'scale-to-zero': {
    ...from(['running', 'updateFailed'], 'scaledToZero'),
    ...from(['pending', 'initializing'], cannotSleep('it does not run yet')),
    updating: cannotSleep('it is being changed'),
    failed: cannotSleep('it has failed'),
    paused: cannotSleep('it is paused'),
  },
  pause: from(
    ALL.filter((state) => state !== 'paused'),
    'paused',
  ),
  resume: {
    ...from(['paused', 'failed'], 'pending'),
    scaledToZero: 'initializing',
    ...from(SERVED, { refused: 'already-running' }),
  },
  'daemon-started': { pending: 'pending', initializing: 'pending', ...from(SERVED, 'scaledToZero') },
};

function nextState(state: EndpointState, event: EventType, { minReplica, maxReplica }: Scaling): Step | null {
  const next = steps[event][state] ?? null;
  if (next === null) return null;
  if (event === 'idle' && minReplica > 0) return null;
  if (maxReplica === 0 && event === 'update-requested') return 'paused';
  if (maxReplica === 0 && event === 'resume') return { refused: 'no-replicas' };
  if (minReplica > 0 && next === 'scaledToZero' && event !== 'scale-to-zero') return 'pending';
  return next;
}

function from(states: readonly EndpointState[], step: Step): Partial<Record<EndpointState, Step>> {
  return Object.fromEntries(states.map((state) => [state, step]));
}

function cannotSleep(why: string): Refusal {
  return { refused: 'cannot-sleep', why };
}

type Appearance = Pick<EndpointStatus, 'state' | 'message' | 'errorMessage' | 'url' | 'readyReplica' | 'targetReplica'>;

function appearance(
  state: EndpointState,
  before: EndpointStatus,
  event: EndpointEvent,
  { scaling, waitsFor }: Moment,
): Appearance {
  const wanted = Math.max(1, scaling.minReplica);
  const told = 'message' in event ? event.message : null;
  // The replicas of before go on serving, as many of them as there may be.
  const stillServed = {
    ...(before.url === undefined ? {} : { url: before.url }),
    ...{ readyReplica: Math.min(before.readyReplica, wanted), targetReplica: wanted },
  };
  switch (state) {
    case 'pending':
      return rest(state, told ?? waitsFor);
    case 'paused':
    case 'scaledToZero':
      return rest(state, waitsFor);
    case 'initializing':
      return { state, message: told ?? 'It is being started.', readyReplica: 0, targetReplica: wanted };
    case 'running': {
      const url = 'url' in event ? { url: event.url } : {};
      return { state, message: 'It can be used.', ...url, readyReplica: wanted, targetReplica: wanted };
    }
    case 'updating':
      return { state, message: told ?? 'It is being changed; until then it is used as it was.', ...stillServed };
    case 'updateFailed': {
      const message = 'The change failed; it is used as it was before.';
      return { state, message, errorMessage: told ?? message, ...stillServed };
    }
    case 'failed': {
      const message = told ?? 'It failed.';
      return { state, message, errorMessage: message, readyReplica: 0, targetReplica: wanted };
    }
  }
}

/** A state in which nothing of it runs. */
function rest(state: 'pending' | 'paused' | 'scaledToZero', pendingMessage: string): Appearance {
  const message = {
    pending: pendingMessage,
    paused: 'It is paused until it is resumed.',
    scaledToZero: 'It sleeps until it is used.',
  }[state];
  return { state, message, readyReplica: 0, targetReplica: 0 };
}
