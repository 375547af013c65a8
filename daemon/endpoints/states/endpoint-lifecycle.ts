import type { Scaling } from '../../contract/compute/endpoint-compute.ts';
import { EndpointState, type Person } from '../../contract/endpoints/endpoint.ts';
import type { EndpointFailure } from '../../contract/endpoints/endpoint-report.ts';
import { InvalidBody } from '../../shared/invalid-input.ts';
import type { StoredStatus } from '../records/stored-endpoint.ts';

/** An event in an endpoint's life: reported by its supervisor, or requested by a person. */
export type EndpointEvent =
  /** Its model and its processes are being prepared. */
  | { readonly type: 'starting' }
  | { readonly type: 'progress'; readonly message: string }
  /**
   * The number of replicas that can serve requests has changed, or the number that it is to have. `why`: the load, or a
   * failure, has changed the latter; null or absent: nothing has. `endCause`: why the newest one that ended by itself did
   * so, in one sentence or two; null or absent: none has, or it is not known. `inContainer`: whether those that serve are
   * containers; absent: not known.
   */
  | {
      readonly type: 'replicas';
      readonly ready: number;
      readonly target: number;
      readonly why?: string | null;
      readonly endCause?: string | null;
      readonly inContainer?: boolean;
    }
  /** It cannot be served: a bad file, no memory, too many exits in a row. */
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'update-requested' }
  /** The replicas of the changed endpoint have replaced the earlier ones. */
  | {
      readonly type: 'update-done';
      readonly ready: number;
      readonly target: number;
      readonly inContainer?: boolean;
    }
  /** The replicas from before the update still serve it. */
  | { readonly type: 'update-failed'; readonly message: string }
  /** It has been unused for its scaleToZeroTimeout. */
  | { readonly type: 'idle' }
  /** It received a request. `by`: who sent it; null or absent: somebody without a token. */
  | { readonly type: 'requested'; readonly by?: Requester | null }
  | { readonly type: 'scale-to-zero' }
  | { readonly type: 'pause' }
  | { readonly type: 'resume' }
  /** Its processes ended with the previous daemon. `hasServed`: it had been ready at least once. */
  | { readonly type: 'daemon-started'; readonly hasServed: boolean };
export type EventType = EndpointEvent['type'];

/** The sender of a request: a running app, a program with a token, the dashboard or the terminal; `start`: an app that waits in its start. */
export interface Requester {
  readonly kind: 'run' | 'token' | 'session' | 'terminal' | 'start';
  readonly name: string;
  /** false: its requests are refused by an endpoint that sleeps and costs money. Default: true. */
  readonly mayWakePaid?: boolean | undefined;
}

/** The facts beside an event, for its endpoint's record. */
export interface EventDetails {
  /** The person who requests the event; null: it is reported. */
  readonly by?: Person | null;
  /** With the events of a failure. */
  readonly failure?: EndpointFailure;
  /** Asked once earlier changes of the endpoint are done; false drops the event. */
  readonly isStill?: () => boolean;
}

/** The context of an event. */
export interface Moment {
  /** The endpoint's, for a refusal. */
  readonly name: string;
  readonly now: Date;
  /** The person who requested the event; null: nobody did, and `updatedBy` stays. */
  readonly by: Person | null;
  /** The scaling from now on. */
  readonly scaling: Scaling;
}

/** The status of a new endpoint. With a maxReplica of 0 it is paused. */
export function initialStatus({ now, scaling }: Moment, by: Person): StoredStatus {
  const at = now.toISOString();
  return {
    ...inactive(scaling.maxReplica === 0 ? 'paused' : 'pending'),
    ...{ createdAt: at, createdBy: by, updatedAt: at, updatedBy: by, private: null },
  };
}

/**
 * The status of an endpoint after an event. An event without a meaning in the current state returns the same status
 * object: reports of a runner may come late.
 * @throws InvalidBody, which stock clients read, for a request that the state does not allow
 */
export function advance(status: StoredStatus, event: EndpointEvent, moment: Moment): StoredStatus {
  const next = nextState(status, event, moment.scaling);
  if (next === null) return status;
  if (typeof next !== 'string') {
    const message = `The endpoint "${moment.name}" ${next.refused}`;
    throw new InvalidBody(message, [{ path: [], message }]);
  }
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

/** The next state, or the end of the sentence that refuses the event: `The endpoint "chat" is already running.` */
type Step = EndpointState | { readonly refused: string };
/** The states in which a server process runs. */
const SERVED: readonly EndpointState[] = ['running', 'updating', 'updateFailed'];

/** The next state by event and current state; a missing entry means that the event is ignored. */
const steps: Readonly<Record<Exclude<EventType, 'replicas' | 'daemon-started'>, Partial<Record<EndpointState, Step>>>> =
  {
    starting: { pending: 'initializing' },
    progress: { pending: 'pending', initializing: 'initializing', updating: 'updating' },
    failed: from(['pending', 'initializing', ...SERVED], 'failed'),
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
      updating: cannotSleep('it is being updated'),
      failed: cannotSleep('it has failed'),
      paused: cannotSleep('it is paused'),
    },
    pause: from(
      EndpointState.options.filter((state) => state !== 'paused'),
      'paused',
    ),
    resume: {
      ...from(['paused', 'failed'], 'pending'),
      scaledToZero: 'initializing',
      // The hub's clients recognize "already running" in the message and treat it as a success.
      ...from(SERVED, { refused: 'is already running.' }),
    },
  };

function nextState(status: StoredStatus, event: EndpointEvent, scaling: Scaling): Step | null {
  const { minReplica, maxReplica } = scaling;
  const { state } = status;
  if (event.type === 'daemon-started') return stateAfterStart(state, minReplica, event.hasServed);
  if (event.type === 'replicas') {
    const next = stateOfReplicas(state, event.ready);
    const { readyReplica, targetReplica } = replicasOf(status, event, scaling);
    const isSame = readyReplica === status.readyReplica && targetReplica === status.targetReplica;
    return next === state && isSame ? null : next;
  }
  const next = steps[event.type][state] ?? null;
  if (next === null) return null;
  if (event.type === 'idle' && minReplica > 0) return null;
  if (maxReplica === 0 && event.type === 'update-requested') return 'paused';
  if (maxReplica === 0 && event.type === 'resume')
    return { refused: 'cannot start: its maxReplica is 0. Raise it first.' };
  if (minReplica > 0 && next === 'scaledToZero' && event.type !== 'scale-to-zero') return 'pending';
  return next;
}

/** An endpoint without a ready replica is starting again; one with some serves, whatever the others do. */
function stateOfReplicas(state: EndpointState, ready: number): EndpointState | null {
  if (state === 'initializing') return ready > 0 ? 'running' : 'initializing';
  if (!SERVED.includes(state)) return null;
  return ready > 0 ? state : 'initializing';
}

/** An endpoint that may sleep does so after a restart, unless its first start was interrupted. */
function stateAfterStart(state: EndpointState, minReplica: number, hasServed: boolean): EndpointState | null {
  if (state !== 'pending' && state !== 'initializing' && !SERVED.includes(state)) return null;
  return minReplica === 0 && hasServed ? 'scaledToZero' : 'pending';
}

function from(states: readonly EndpointState[], step: Step): Partial<Record<EndpointState, Step>> {
  return Object.fromEntries(states.map((state) => [state, step]));
}

function cannotSleep(why: string): Step {
  return { refused: `cannot sleep now: ${why}.` };
}

type Appearance = Pick<StoredStatus, 'state' | 'message' | 'errorMessage' | 'readyReplica' | 'targetReplica'>;

function appearance(state: EndpointState, before: StoredStatus, event: EndpointEvent, { scaling }: Moment): Appearance {
  const reported = 'message' in event ? event.message : null;
  const replicas = replicasOf(before, event, scaling);
  const { targetReplica } = replicas;
  switch (state) {
    case 'pending':
      return { ...inactive(state), ...(reported === null ? {} : { message: reported }) };
    case 'paused':
    case 'scaledToZero':
      return inactive(state);
    case 'initializing': {
      const message = reported ?? (event.type === 'replicas' ? againText(event.endCause) : 'Starting.');
      return { state, message, readyReplica: 0, targetReplica };
    }
    case 'running':
      return { state, message: readyText(replicas), ...replicas };
    case 'updating': {
      const message = reported ?? 'Applying the update. The previous version serves requests until then.';
      return { state, message, ...replicas };
    }
    case 'updateFailed': {
      const message = 'The update failed. The previous version serves requests.';
      return { state, message, errorMessage: reported ?? before.errorMessage ?? message, ...replicas };
    }
    case 'failed': {
      const message = reported ?? 'It failed.';
      return { state, message, errorMessage: message, readyReplica: 0, targetReplica };
    }
  }
}

/** That an endpoint without a ready replica starts again, after why the last one ended. */
function againText(endCause: string | null = null): string {
  return endCause === null ? 'Starting again.' : `${endCause} Starting again.`;
}

/** The numbers of replicas after an event, within the limits of the scaling. */
function replicasOf(
  before: StoredStatus,
  event: EndpointEvent,
  { minReplica, maxReplica }: Scaling,
): Pick<Appearance, 'readyReplica' | 'targetReplica'> {
  const { ready, target } = 'ready' in event ? event : { ready: before.readyReplica, target: before.targetReplica };
  const targetReplica = Math.min(Math.max(target, minReplica, 1), Math.max(maxReplica, minReplica, 1));
  return { readyReplica: Math.min(ready, targetReplica), targetReplica };
}

function readyText({ readyReplica, targetReplica }: Pick<Appearance, 'readyReplica' | 'targetReplica'>): string {
  return readyReplica === targetReplica ? 'Ready.' : `Ready: ${readyReplica} of ${targetReplica} replicas.`;
}

/** The appearance of a state in which no replica runs. */
function inactive(state: 'pending' | 'paused' | 'scaledToZero'): Appearance {
  const message = {
    pending: 'Waiting to start.',
    paused: 'Paused. Resume it to use it.',
    scaledToZero: 'Asleep. The next request wakes it.',
  }[state];
  return { state, message, readyReplica: 0, targetReplica: 0 };
}

/**
 * Whether an endpoint was in a container when it was ready last.
 * @param before the same before the event
 * @param isReady whether it is ready after the event
 */
export function servedInContainer(before: boolean, event: EndpointEvent, isReady: boolean): boolean {
  const isReport = event.type === 'replicas' || event.type === 'update-done';
  return isReady && isReport ? (event.inContainer ?? before) : before;
}
