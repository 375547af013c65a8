import type { Scaling } from '../../contract/compute/endpoint-compute.ts';
import type { EndpointState, EndpointStatus, Person } from '../../contract/endpoints/endpoint.ts';

/** An event in an endpoint's life: reported by its runner, or requested by a person. */
export type EndpointEvent =
  /** Compute is reserved: a download or a process begins. */
  | { readonly type: 'capacity-reserved' }
  | { readonly type: 'progress'; readonly message: string }
  /** Its health route answered 200. */
  | { readonly type: 'healthy'; readonly url: string }
  /** It cannot be served: a bad file, no memory, too many exits in a row. */
  | { readonly type: 'failed'; readonly message: string }
  /** Its server process exited by itself. */
  | { readonly type: 'exited'; readonly message: string }
  | { readonly type: 'update-requested' }
  | { readonly type: 'update-done'; readonly url: string }
  /** The server from before the update still serves it. */
  | { readonly type: 'update-failed'; readonly message: string }
  /** It has been unused for its scaleToZeroTimeout. */
  | { readonly type: 'idle' }
  /** It received a request. */
  | { readonly type: 'requested' }
  | { readonly type: 'scale-to-zero' }
  | { readonly type: 'pause' }
  | { readonly type: 'resume' }
  /** Its server ended with the previous daemon. */
  | { readonly type: 'daemon-started' };
export type EventType = EndpointEvent['type'];

/** The context of an event. */
export interface Moment {
  readonly now: Date;
  /** The person who requested the event; null: nobody did, and `updatedBy` stays. */
  readonly by: Person | null;
  /** The scaling from now on. */
  readonly scaling: Scaling;
  /** One sentence that says what a pending endpoint waits for. */
  readonly waitsFor: string;
}

/** The reason for a refused request. */
export type Refusal =
  | { readonly refused: 'already-running' | 'no-replicas' }
  | { readonly refused: 'cannot-sleep'; readonly why: string };

/** The reason why endpoints of this machine are pending. */
export const NO_RUNTIME_YET = 'No runtime on this machine yet.';

/** The status of a new endpoint. With a maxReplica of 0 it is paused. */
export function initialStatus({ now, scaling, waitsFor }: Moment, by: Person): EndpointStatus {
  const at = now.toISOString();
  return {
    ...inactive(scaling.maxReplica === 0 ? 'paused' : 'pending', waitsFor),
    ...{ createdAt: at, createdBy: by, updatedAt: at, updatedBy: by, private: null },
  };
}

/**
 * The status of an endpoint after an event. An event without a meaning in the current state returns the same status
 * object: reports of a runner may come late.
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
    updatedAt: now > status.updatedAt ? now : status.updatedAt, // the clock may have been set back
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
/** The states in which a server process runs. */
const SERVED: readonly EndpointState[] = ['running', 'updating', 'updateFailed'];

/** The next state by event and current state; a missing entry means that the event is ignored. */
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
    ...from(['pending', 'initializing'], cannotSleep('it is not running yet')),
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
  const reported = 'message' in event ? event.message : null;
  // The earlier replicas go on serving, up to the number that is allowed now.
  const stillServed = {
    ...(before.url === undefined ? {} : { url: before.url }),
    ...{ readyReplica: Math.min(before.readyReplica, wanted), targetReplica: wanted },
  };
  switch (state) {
    case 'pending':
      return inactive(state, reported ?? waitsFor);
    case 'paused':
    case 'scaledToZero':
      return inactive(state, waitsFor);
    case 'initializing':
      return { state, message: reported ?? 'Starting.', readyReplica: 0, targetReplica: wanted };
    case 'running': {
      const url = 'url' in event ? { url: event.url } : {};
      return { state, message: 'Ready.', ...url, readyReplica: wanted, targetReplica: wanted };
    }
    case 'updating':
      return {
        state,
        message: reported ?? 'Applying the change. The previous version serves requests until then.',
        ...stillServed,
      };
    case 'updateFailed': {
      const message = 'The change failed. The previous version serves requests.';
      return { state, message, errorMessage: reported ?? message, ...stillServed };
    }
    case 'failed': {
      const message = reported ?? 'It failed.';
      return { state, message, errorMessage: message, readyReplica: 0, targetReplica: wanted };
    }
  }
}

/** The appearance of a state in which no replica runs. */
function inactive(state: 'pending' | 'paused' | 'scaledToZero', pendingMessage: string): Appearance {
  const message = {
    pending: pendingMessage,
    paused: 'Paused. Resume it to use it.',
    scaledToZero: 'Asleep. The next request wakes it.',
  }[state];
  return { state, message, readyReplica: 0, targetReplica: 0 };
}
