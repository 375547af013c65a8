import { byteText } from '../../contract/common/byte-text.ts';
import type { CardProblem, CardUse, GraphicsCards } from '../../contract/compute/graphics-cards.ts';
import { endpointId } from '../../contract/endpoints/endpoint-id.ts';
import { actionInTerminal } from '../../graphics-cards/card-problems.ts';
import { textTable } from './print.ts';

/** The graphics cards for a terminal, a line for each, and why models use none. */
export function cardsText({ isOn, cards, usagePercent, problem }: GraphicsCards): string {
  const rows = cards.map(({ index, name, driver, totalBytes, freeBytes, users }) => [
    String(index),
    name,
    driver ?? 'unknown',
    `${byteText(freeBytes)} of ${byteText(totalBytes)}`,
    users.map((user) => `${endpointId(user)} (${cardUseText(user.use)})`).join(', ') || 'unused',
  ]);
  return [
    rows.length > 0 ? textTable(['CARD', 'NAME', 'DRIVER', 'FREE', 'USED BY'], rows) : '',
    usagePercent === null ? '' : `Busy ${Math.round(usagePercent)} % of the time.\n`,
    isOn ? '' : 'Models do not use it: it is switched off. To switch it on: robot-daemon graphics-card on\n',
    problem === null ? (rows.length === 0 ? 'No graphics cards are known.\n' : '') : `${problemText(problem)}\n`,
  ].join('');
}

/** The graphics cards in one line: `A card, used by lab/poet`. */
export function cardsLine({ isOn, cards, problem }: GraphicsCards): string {
  if (!isOn) return 'switched off';
  if (problem !== null) return `not used: ${problemText(problem)}`;
  const each = cards.map(({ name, users }) =>
    users.length === 0 ? name : `${name}, used by ${[...new Set(users.map(endpointId))].join(' and ')}`,
  );
  return each.join('; ') || 'none known';
}

/** A problem for a terminal: what it is, and what to do. */
export const problemText = (problem: CardProblem): string => `${problem.message} ${actionInTerminal(problem)}`;

/** `23 of 33 layers, 5.1 GB` */
export const cardUseText = ({ layers, totalLayers, memoryBytes }: CardUse): string =>
  `${layers} of ${totalLayers} layers, ${byteText(memoryBytes)}`;
