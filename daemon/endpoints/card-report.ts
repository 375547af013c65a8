import { type GraphicsCards as CardsReport, GraphicsCard } from '../contract/compute/graphics-cards.ts';
import type { CardPlaces } from '../graphics-cards/card-places.ts';
import type { GraphicsCards } from '../graphics-cards/graphics-cards.ts';
import type { Supervisor } from './supervisor.ts';

interface CardReportDeps {
  readonly cards: Pick<GraphicsCards, 'measureAll' | 'find' | 'known'>;
  readonly places: Pick<CardPlaces, 'freeBytes'>;
  readonly supervisor: Pick<Supervisor, 'cardUsers'>;
  /** Percent of the time in which the cards of these names computed; null: unknown. */
  readonly usagePercent: (names: readonly string[]) => Promise<number | null>;
}

/**
 * Reports the graphics cards of this machine with the endpoints on them.
 * @param measure whether to look for them and to measure their memory, which takes seconds; else what is known, at once
 */
export async function cardReport(
  measure: boolean,
  { cards, places, supervisor, usagePercent }: CardReportDeps,
): Promise<CardsReport> {
  const notMeasured = measure ? await cards.measureAll() : null;
  const { cards: found, isOn, hasFailed, ...known } = await (measure ? cards.find() : cards.known());
  const problem = isOn ? (known.problem ?? notMeasured) : null; // until it is switched on there is nothing to do about it
  const users = supervisor.cardUsers();
  const mayHelp = hasFailed || (problem !== null && problem.kind !== 'not-included');
  return {
    ...{ isOn, problem, canTryAgain: isOn && mayHelp },
    usagePercent: measure && found.length > 0 ? await usagePercent(found.map(({ name }) => name)) : null,
    cards: found.map((card) => ({
      ...GraphicsCard.parse(card), // without what only this daemon needs
      freeBytes: places.freeBytes(card),
      users: users
        .filter(({ index }) => index === card.index)
        .map(({ namespace, name, use }) => ({ namespace, name, use })),
    })),
  };
}
