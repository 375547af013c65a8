import { LOCAL_VENDOR } from '../catalog/compute/compute-offer.ts';
import { byteText } from '../contract/common/byte-text.ts';
import { type CardProblem, GraphicsCard } from '../contract/compute/graphics-cards.ts';
import { namesForPeople } from '../contract/endpoints/endpoint-id.ts';
import type { EndpointRecord } from '../endpoints/records/endpoint-record.ts';
import { actionInTerminal } from '../graphics-cards/card-problems.ts';
import type { GraphicsCards } from '../graphics-cards/graphics-cards.ts';
import { listText } from '../shared/list-text.ts';
import { broken, byHand, type Finding, note } from './check.ts';

/** The graphics cards that models can use. */
export interface CardsState {
  /** Whether models may use them, as the user has set it. */
  readonly isOn: boolean;
  readonly cards: readonly GraphicsCard[];
  /** Why models use none; null: they can, or this machine has none. */
  readonly problem: CardProblem | null;
  /** Whether one has failed in use, and is left alone since. */
  readonly hasFailed: boolean;
}

/** Looks for the cards. The driver of one that failed earlier is not asked again. */
export async function cardsStateOf(finder: Pick<GraphicsCards, 'find'>): Promise<CardsState> {
  const { cards, ...state } = await finder.find();
  return { ...state, cards: cards.map((card) => GraphicsCard.parse(card)) };
}

/** Finds why models use no graphics card: broken where an endpoint needs one, else a note. */
export function checkGraphicsCards(state: CardsState, endpoints: readonly EndpointRecord[]): Finding[] {
  const cause = causeOf(state);
  if (cause === null) return [];
  const nameOf = namesForPeople(endpoints);
  // Containers have their own way to the cards, which the switch closes too.
  const onCard = endpoints.filter((each) => isForCard(each) && (usesLlamacpp(each) || !state.isOn));
  const needing = onCard.filter(({ mayUseProcessor }) => !mayUseProcessor).map(nameOf);
  const others = onCard.filter(({ mayUseProcessor, notOnCard }) => mayUseProcessor && notOnCard !== null).map(nameOf);
  const what = [
    cause.what,
    needing.length > 0 && `${endpointsText(needing, ['needs', 'need'])} it.`,
    others.length > 0 && `${endpointsText(others, ['runs', 'run'])} on the processor instead.`,
    onCard.length === 0 && 'No endpoint needs it.',
  ].filter(Boolean);
  // An installed llama-server may be the program that is missing.
  const isBroken = needing.length > 0 && cause.code !== 'graphics-card-not-included';
  const ofSeverity = isBroken ? broken : note;
  return [ofSeverity(cause.code, what.join(' '), 'this machine', byHand(cause.how))];
}

function causeOf({ isOn, problem, hasFailed }: CardsState): { code: string; what: string; how: string } | null {
  if (!isOn) {
    const what = 'Models may not use the graphics card: it is switched off.';
    return { code: 'graphics-card-off', what, how: 'To switch it on: robot-daemon graphics-card on' };
  }
  if (problem === null) return null;
  const how = actionInTerminal(problem);
  if (!hasFailed) return { code: `graphics-card-${problem.kind}`, what: problem.message, how };
  const what = `${problem.message} Models do not use the card since then.`;
  return { code: 'graphics-card-left-alone', what, how };
}

/** Whether an endpoint was deployed to run on a graphics card of this machine. */
function isForCard({ endpoint: { provider, compute, model } }: EndpointRecord): boolean {
  return provider.vendor === LOCAL_VENDOR && compute.accelerator === 'gpu' && model.image.llamacpp?.nGpuLayers !== 0;
}

const usesLlamacpp = ({ endpoint: { model } }: EndpointRecord) => model.image.llamacpp !== undefined;

function endpointsText(names: readonly string[], [one, several]: readonly [string, string]): string {
  return names.length === 1
    ? `The endpoint ${names[0]} ${one}`
    : `The endpoints ${listText(names.toSorted())} ${several}`;
}

/** The cards in a line: "NVIDIA H100 (NVIDIA 580), 80.0 GB". */
export function graphicsText({ isOn, cards, problem }: CardsState): string {
  if (!isOn) return 'switched off';
  if (problem !== null) return 'not used';
  const each = cards.map(
    ({ name, driver, totalBytes }) => `${name}${driver === null ? '' : ` (${driver})`}, ${byteText(totalBytes)}`,
  );
  return each.join('; ') || 'none';
}
