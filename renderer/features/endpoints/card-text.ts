import { byteText } from '../../../daemon/contract/common/byte-text.ts';
import type { CardProblem, CardUse } from '../../../daemon/contract/compute/graphics-cards.ts';
import type { OwnEndpoint } from '../../../daemon/contract/endpoints/endpoint.ts';
import { counted } from '../../parts/format.ts';

type Layers = Pick<CardUse, 'layers' | 'totalLayers'>;

/** `25 of 25 layers`; of replicas that differ, each once: `25 of 25 and 10 of 25 layers`. */
export function layersText(uses: readonly Layers[]): string {
  const each = new Set(uses.map(({ layers, totalLayers }) => `${layers} of ${totalLayers}`));
  return `${[...each].join(' and ')} layers`;
}

/** The memory of graphics cards that replicas hold together, in bytes. */
export const heldBytes = (uses: readonly Pick<CardUse, 'memoryBytes'>[]): number =>
  uses.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0);

/** The parts of the replicas of an endpoint that are on graphics cards. */
export const cardUsesOf = ({ report: { replicas } }: OwnEndpoint): readonly CardUse[] =>
  replicas.flatMap(({ cardUse }) => cardUse ?? []);

/** Where an endpoint computes: `On the graphics card: 25 of 25 layers, 1.2 GB`; null: that is not known, or it does not run. */
export function computesText(ownEndpoint: OwnEndpoint): string | null {
  const { endpoint, report } = ownEndpoint;
  const { replicas, notOnCard } = report;
  const uses = cardUsesOf(ownEndpoint);
  if (uses.length === 0) {
    const runs = replicas.some(({ state }) => state !== 'starting');
    const isOnProcessor = notOnCard !== null || endpoint.compute.accelerator === 'cpu';
    return runs && isOnProcessor ? 'On the processor' : null;
  }
  const isSeveral = replicas.length > 1;
  const count = uses.length === replicas.length ? '' : `${uses.length} of `;
  const whose = isSeveral ? `${count}${counted(replicas.length, 'replica')}, ` : '';
  const held = `${byteText(heldBytes(uses))}${isSeveral ? ' in all' : ''}`;
  const isPart = uses.some(({ layers, totalLayers }) => layers < totalLayers);
  const rest = isPart ? '. The other layers are on the processor, which is slower' : '';
  return `On the graphics card: ${whose}${layersText(uses)}, ${held}${rest}`;
}

/** The next start of an endpoint on the processor, once the action of its problem is done, in a sentence; empty: that does not change it. */
export function nextStartText({ kind }: CardProblem): string {
  if (kind === 'no-card' || kind === 'no-such-card' || kind === 'not-included') return '';
  return kind === 'no-memory'
    ? 'It tries the card again at its next start.'
    : 'Then the endpoint uses the card from its next start.';
}
