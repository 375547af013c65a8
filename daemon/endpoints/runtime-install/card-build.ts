import type { GraphicsCards } from '../../graphics-cards/graphics-cards.ts';

/**
 * Whether a llama-server that is built for graphics cards is of use on this machine: models can use a card, or there is one
 * that only the bundled runner has no build for.
 */
export async function wantsCardBuild(cards: Pick<GraphicsCards, 'find'>): Promise<boolean> {
  const { isOn, cards: found, problem } = await cards.find();
  return isOn && (problem === null ? found.length > 0 : problem.kind === 'not-included');
}
