import { isDeepStrictEqual } from 'node:util';
import type { CardProblem } from '../../contract/compute/graphics-cards.ts';
import type { Person } from '../../contract/endpoints/endpoint.ts';
import { type EndpointLifeEvent, MAX_LIFE_EVENTS } from '../../contract/endpoints/endpoint-life.ts';
import type { EndpointParts } from '../description/endpoint-parts.ts';
import type { EndpointRecord } from '../records/endpoint-record.ts';
import type { StoredStatus } from '../records/stored-endpoint.ts';
import type { EndpointEvent, Requester } from './endpoint-lifecycle.ts';

type Life = readonly EndpointLifeEvent[];

/** An endpoint before a change. */
type Before = Pick<EndpointRecord, 'endpoint' | 'life'>;

/** A change of an endpoint's status, and the event that caused it. */
interface LifeChange {
  readonly after: StoredStatus;
  readonly event: EndpointEvent;
  /** null: nobody asked for it. */
  readonly by: Person | null;
  /** The settings that a person changed, in words; see `changedSettings`. */
  readonly changed?: readonly string[];
}

const MAX_CAUSE = 1_000;

/** The life with another event at its end; the oldest events go. */
export function lifeWith(life: Life, { at, kind, cause }: EndpointLifeEvent): EndpointLifeEvent[] {
  const text = cause.length > MAX_CAUSE ? `${cause.slice(0, MAX_CAUSE)}…` : cause;
  return [...life, { at, kind, cause: text }].slice(-MAX_LIFE_EVENTS);
}

/** The life after a change of the status. Progress, and changes that mean nothing to a person, leave it as it is. */
export function lifeAfter(record: Before, change: LifeChange): EndpointLifeEvent[] {
  const found = kindAndCause(record, change);
  return found ? lifeWith(record.life, { at: change.after.updatedAt, ...found }) : record.life;
}

type KindAndCause = Pick<EndpointLifeEvent, 'kind' | 'cause'>;

function kindAndCause(record: Before, { after, event, by, changed = [] }: LifeChange): KindAndCause | null {
  const { status: before, compute } = record.endpoint;
  const who = by ? personText(by) : 'Somebody';
  switch (event.type) {
    case 'update-requested':
      return { kind: 'changed', cause: `${who} changed ${changed.join(', ') || 'its settings'}.` };
    case 'requested':
      return after.state === before.state ? null : { kind: 'waking', cause: requestText(event.by ?? null) };
    case 'resume':
      return before.state === 'scaledToZero'
        ? { kind: 'waking', cause: `${who} woke it.` }
        : { kind: 'starting', cause: `${who} resumed it.` };
    case 'pause':
      return { kind: 'paused', cause: `${who} paused it.` };
    case 'scale-to-zero':
      return { kind: 'asleep', cause: `${who} put it to sleep.` };
    case 'idle':
      return { kind: 'asleep', cause: `It was not used for ${compute.scaling.scaleToZeroTimeout ?? 0} min.` };
    case 'failed':
      return { kind: 'failed', cause: event.message };
    case 'update-failed':
      return { kind: 'updateFailed', cause: event.message };
    case 'update-done':
      return { kind: 'ready', cause: 'The update is in effect.' };
    case 'replicas':
      return event.why && before.state === after.state
        ? { kind: 'scaled', cause: event.why }
        : replicasText(record, after, event.endCause ?? null);
    case 'daemon-started':
      return { kind: 'stopped', cause: stoppedText(after) };
    default:
      return null;
  }
}

function replicasText({ endpoint, life }: Before, after: StoredStatus, endCause: string | null): KindAndCause | null {
  if (endpoint.status.state === after.state) return null;
  if (after.state === 'initializing') {
    return { kind: 'starting', cause: `${endCause ?? 'It ended.'} It is started again.` };
  }
  if (after.state !== 'running') return null;
  const begun = life.findLast(({ kind }) => kind !== 'changed');
  const tookMs = begun ? Date.parse(after.updatedAt) - Date.parse(begun.at) : Number.NaN;
  const since = begun && sinceTexts[begun.kind];
  const cause = since && tookMs >= 0 ? `It answers, ${secondsText(tookMs)} after ${since}.` : 'It answers requests.';
  return { kind: 'ready', cause };
}

const sinceTexts: Readonly<Partial<Record<EndpointLifeEvent['kind'], string>>> = {
  created: 'it was created',
  starting: 'its start',
  waking: 'it was woken',
};

function secondsText(ms: number): string {
  return ms < 90_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`;
}

function stoppedText({ state }: StoredStatus): string {
  return state === 'scaledToZero'
    ? 'The daemon ended. It sleeps until it is used.'
    : 'The daemon ended. It is started again.';
}

function requestText(by: Requester | null): string {
  if (!by) return 'A request without a token woke it.';
  const texts = {
    run: `The app ${by.name} woke it.`,
    token: `A request with the token “${by.name}” woke it.`,
    session: 'A request from the dashboard woke it.',
    terminal: 'A request from the terminal woke it.',
    start: `The start of the app ${by.name} woke it.`,
  };
  return texts[by.kind];
}

/** Where an endpoint runs that was deployed on the graphics card. @param notOnCard null: there */
export function placedText(notOnCard: CardProblem | null): string {
  return notOnCard === null ? 'It runs on the graphics card again.' : `It runs on the processor. ${notOnCard.message}`;
}

/** The settings that differ, in words. */
export function changedSettings(before: EndpointParts, after: EndpointParts): string[] {
  const { scaling: scalingBefore, ...computeBefore } = before.compute;
  const { scaling: scalingAfter, ...computeAfter } = after.compute;
  const pairs: Readonly<Record<string, readonly [unknown, unknown]>> = {
    'who may use it': [before.type, after.type],
    'its scaling': [scalingBefore, scalingAfter],
    'its compute': [
      [before.provider, computeBefore],
      [after.provider, computeAfter],
    ],
    'its model': [before.model, after.model],
    'the pages that may use it': [before.allowedOrigins, after.allowedOrigins],
    'its network': [before.network, after.network],
    'its tags': [before.tags, after.tags],
    'its notifications': [before.notifications, after.notifications],
  };
  return Object.entries(pairs)
    .filter(([, [from, to]]) => !isDeepStrictEqual(from, to))
    .map(([name]) => name);
}

/** The callers of this machine's own user, by their ids; tokens have ids of 16 hexadecimal digits. */
const ownCallers: Readonly<Record<string, string>> = { dashboard: 'The dashboard', terminal: 'The terminal' };

/** The subject of a sentence about an act of a person. */
export function personText({ id, name }: Person): string {
  return ownCallers[id] ?? name;
}
