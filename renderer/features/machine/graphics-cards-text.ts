import type { CardUse, GraphicsCards } from '../../../daemon/contract/compute/graphics-cards.ts';
import { endpointId, namesForPeople } from '../../../daemon/contract/endpoints/endpoint-id.ts';
import type { StateText } from '../../parts/notes/progress-text.ts';
import { heldBytes } from '../endpoints/card-text.ts';

type Card = GraphicsCards['cards'][number];

/** An endpoint that holds memory of a card. */
interface CardUser {
  /** Its namespace and its name. */
  readonly id: string;
  readonly name: string;
  /** One for each of its replicas there. */
  readonly uses: readonly CardUse[];
}

/** The endpoints on a card, those that hold most first. */
export function usersOf({ users }: Card): readonly CardUser[] {
  const named = users.map(({ namespace, name, use }) => ({ namespace, endpoint: { name }, use }));
  const byId = Map.groupBy(named, ({ namespace, endpoint: { name } }) => endpointId({ namespace, name }));
  const firsts = [...byId.values()].flatMap((all) => all.slice(0, 1));
  const nameOf = namesForPeople(firsts);
  const grouped = [...byId].flatMap(([id, all]) =>
    all.slice(0, 1).map((first) => ({ id, name: nameOf(first), uses: all.map(({ use }) => use) })),
  );
  return grouped.toSorted((a, b) => heldBytes(b.uses) - heldBytes(a.uses));
}

/** The memory of a card in bytes: what its endpoints hold, and what other programs hold. */
export function heldOf({ totalBytes, freeBytes, users }: Card): {
  readonly byModels: number;
  readonly byOthers: number;
} {
  const byModels = Math.min(totalBytes, heldBytes(users.map(({ use }) => use)));
  // The two are measured at different moments.
  return { byModels, byOthers: Math.max(0, totalBytes - freeBytes - byModels) };
}

export function cardStateText({ users }: Card, { isOn, problem }: GraphicsCards): StateText {
  if (problem !== null) return { word: 'cannot be used', tone: 'failed' };
  if (!isOn) return { word: 'switched off', tone: 'idle' };
  return users.length > 0 ? { word: 'in use', tone: 'running' } : { word: 'ready', tone: 'done' };
}

/** The result of another try, for a status. */
export function triedText({ problem, cards }: GraphicsCards): string {
  if (problem !== null) return 'Tried: it cannot be used yet.';
  return cards.length > 0 ? 'It can be used: models use it from their next start.' : 'No graphics card was found.';
}

/** `busy 37 % of the time`. */
export const busyText = (percent: number): string => `busy ${Math.round(percent)} % of the time`;

export const tryingText = 'Trying the graphics card: this can take half a minute.';
/** Before the link to the settings. */
export const switchedOffText =
  'The graphics card is switched off: models run on the processor, and endpoints that need the card fail.';
export const noCardText = 'No graphics card was found that models can use: they run on the processor.';
