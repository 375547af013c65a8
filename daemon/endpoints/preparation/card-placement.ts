import type { CardProblem } from '../../contract/compute/graphics-cards.ts';
import type { EndpointFailure } from '../../contract/endpoints/endpoint-report.ts';
import type { CardPlace, CardPlaces } from '../../graphics-cards/card-places.ts';
import { cardProblem } from '../../graphics-cards/card-problems.ts';
import type { GraphicsCards } from '../../graphics-cards/graphics-cards.ts';
import type { EndpointParts } from '../description/endpoint-parts.ts';
import { EndpointFailed } from '../failures/endpoint-failed.ts';
import type { EndpointRecord } from '../records/endpoint-record.ts';
import type { EndpointRuntime, NoRuntime } from '../runtime/endpoint-runtime.ts';

export interface CardPlacementDeps {
  readonly cards: Pick<GraphicsCards, 'failed'>;
  readonly places: Pick<CardPlaces, 'take'>;
  /** @returns the program that runs an endpoint with these parts, or why there is none */
  readonly runtimeFor: (parts: EndpointParts) => Promise<EndpointRuntime | NoRuntime>;
  /** Keeps why it runs on the processor instead of the card; null: it does not. Never rejects. */
  readonly onPlaced: (notOnCard: CardProblem | null) => Promise<void>;
}

/**
 * Where the replicas of one version of an endpoint run: on the graphics card, or on the processor. One that was deployed on
 * the card goes on on the processor where the card cannot be used, unless its owner demanded the card.
 */
export class CardPlacement {
  readonly #wanted: EndpointParts;
  readonly #mayUseProcessor: boolean;
  readonly #deps: CardPlacementDeps;
  #notOnCard: CardProblem | null = null;

  constructor({ endpoint, mayUseProcessor }: EndpointRecord, deps: CardPlacementDeps) {
    this.#wanted = endpoint;
    this.#mayUseProcessor = mayUseProcessor && endpoint.model.image.llamacpp !== undefined;
    this.#deps = deps;
  }

  /** The parts of the endpoint as they run: with the processor as accelerator where the card is not used. */
  get parts(): EndpointParts {
    const usesNone = this.#wanted.model.image.llamacpp?.nGpuLayers === 0;
    return this.#notOnCard !== null || usesNone ? onProcessor(this.#wanted) : this.#wanted;
  }

  /** Chooses the program. @throws EndpointFailed when none runs it */
  async runtime(): Promise<EndpointRuntime> {
    const { runtimeFor, onPlaced } = this.#deps;
    let runtime = await runtimeFor(this.parts);
    if ('problem' in runtime && this.#isOnCard && this.#mayUseProcessor) {
      const { problem: message, action } = runtime;
      const other = await runtimeFor(onProcessor(this.#wanted));
      if (!('problem' in other)) {
        this.#notOnCard = { ...cardProblem('driver-failed'), message, action };
        runtime = other;
      }
    }
    if ('problem' in runtime) throw noRuntime(runtime);
    await onPlaced(this.#notOnCard);
    return runtime;
  }

  /**
   * Takes a place on the card for one replica, and waits while another one starts there.
   * @returns null: it runs on the processor, or on a card that only its program knows
   * @throws EndpointFailed where the card cannot be used, the reason of the signal
   */
  async place(signal: AbortSignal): Promise<CardPlace | null> {
    const { llamacpp } = this.parts.model.image;
    if (!this.#isOnCard || !llamacpp) return null;
    const place = await this.#deps.places.take(llamacpp.mainGpu ?? null, signal);
    if (!('kind' in place)) return place;
    if (place.kind === 'no-card') return null;
    const { message, action } = place;
    throw new EndpointFailed({ reason: 'graphics-card', message, action });
  }

  /**
   * What to do about a replica that ended by itself, or could not start.
   * @throws EndpointFailed when another one would end in the same way
   */
  async ended(cause: EndpointFailure): Promise<'restart' | 'restart-on-processor'> {
    const { reason, message, action } = cause;
    const isOfCard = reason === 'graphics-card' || reason === 'no-card-memory';
    if (!isOfCard || !this.#isOnCard) return 'restart';
    const problem = { ...cardProblem(reason === 'no-card-memory' ? 'no-memory' : 'driver-crashed'), message, action };
    if (reason === 'graphics-card') await this.#deps.cards.failed(problem);
    if (!this.#mayUseProcessor) throw new EndpointFailed(cause);
    this.#notOnCard = problem;
    return 'restart-on-processor';
  }

  get #isOnCard(): boolean {
    return this.parts.compute.accelerator === 'gpu';
  }
}

function onProcessor(parts: EndpointParts): EndpointParts {
  const { llamacpp } = parts.model.image;
  const image = llamacpp ? { llamacpp: { ...llamacpp, nGpuLayers: 0 } } : parts.model.image;
  return { ...parts, compute: { ...parts.compute, accelerator: 'cpu' }, model: { ...parts.model, image } };
}

const noRuntime = ({ problem, action, reason }: NoRuntime) =>
  new EndpointFailed({ reason, message: problem, action: `${action} Then resume the endpoint.` });
