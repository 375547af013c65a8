import type { CardProblem } from '../../contract/compute/graphics-cards.ts';
import type { EndpointFailure } from '../../contract/endpoints/endpoint-report.ts';
import type { CardPlace, CardPlaces } from '../../graphics-cards/card-places.ts';
import { cardProblem } from '../../graphics-cards/card-problems.ts';
import type { GraphicsCards } from '../../graphics-cards/graphics-cards.ts';
import type { EndpointParts } from '../description/endpoint-parts.ts';
import { EndpointFailed } from '../failures/endpoint-failed.ts';
import { DRIVER_SILENT } from '../failures/exit-cause.ts';
import type { EndpointRecord } from '../records/endpoint-record.ts';
import type { EndpointRuntime, NoRuntime } from '../runtime/endpoint-runtime.ts';

const MAKE_ROOM =
  'Let other models on the card sleep; after a change of the settings, pause and resume the endpoint, which frees the memory of its earlier replica.';

export interface CardPlacementDeps {
  readonly cards: Pick<GraphicsCards, 'failed'>;
  readonly places: Pick<CardPlaces, 'take'>;
  /** @returns the program that runs an endpoint with these parts, or why there is none */
  readonly runtimeFor: (parts: EndpointParts) => Promise<EndpointRuntime | NoRuntime>;
  /** Whether another replica of the endpoint serves on the card, also one of an earlier version. */
  readonly othersServe: () => boolean;
  /** Keeps why it runs on the processor instead of the card; null: it runs on the card. Never rejects. */
  readonly onPlaced: (notOnCard: CardProblem | null) => Promise<void>;
}

/** Whether an endpoint was deployed to run on a graphics card. */
export function isForCard({ compute, model }: EndpointParts): boolean {
  return compute.accelerator === 'gpu' && model.image.llamacpp?.nGpuLayers !== 0;
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
  #cardPlace: EndpointRuntime['cardPlace'] = 'unused';

  constructor({ endpoint, mayUseProcessor }: EndpointRecord, deps: CardPlacementDeps) {
    this.#wanted = endpoint;
    this.#mayUseProcessor = mayUseProcessor && endpoint.model.image.llamacpp !== undefined;
    this.#deps = deps;
  }

  /** The parts of the endpoint as they run: with the processor as accelerator where the card is not used. */
  get parts(): EndpointParts {
    if (this.#wanted.compute.accelerator !== 'gpu') return this.#wanted;
    return this.#notOnCard !== null || !isForCard(this.#wanted) ? onProcessor(this.#wanted) : this.#wanted;
  }

  /** Chooses the program. @throws EndpointFailed when none runs it */
  async runtime(): Promise<EndpointRuntime> {
    const { runtimeFor } = this.#deps;
    let runtime = await runtimeFor(this.parts);
    if ('problem' in runtime && this.#isOnCard && this.#mayUseProcessor) {
      const { problem: message, action, card } = runtime;
      const other = await runtimeFor(onProcessor(this.#wanted));
      if (!('problem' in other)) {
        await this.#leaveCard(card ?? { kind: 'no-card', message, action });
        runtime = other;
      }
    }
    if ('problem' in runtime) throw noRuntime(runtime);
    this.#cardPlace = runtime.cardPlace;
    return runtime;
  }

  /**
   * Takes a place on the card for one replica of the program that was chosen last, and waits while another one starts there.
   * @param onWait see `CardPlaces.take`
   * @returns null: it runs on the processor, or on a card that only its program knows. `on-processor`: the card cannot be
   * used, so that its program is to be chosen again
   * @throws EndpointFailed where the card cannot be used and the owner demanded it, the reason of the signal
   */
  async place(signal: AbortSignal, onWait: (waits: boolean) => void): Promise<CardPlace | 'on-processor' | null> {
    if (!this.#isOnCard || this.#cardPlace === 'unused') return null;
    const wanted = this.parts.model.image.llamacpp?.mainGpu ?? null;
    const place = await this.#deps.places.take(wanted, signal, onWait);
    if (!('kind' in place)) return place;
    const { kind, message, action } = place;
    if (this.#cardPlace === 'welcome' && kind !== 'switched-off') return null;
    this.#requireLeave({ reason: kind === 'no-memory' ? 'no-card-memory' : 'graphics-card', message, action });
    await this.#leaveCard(place);
    return 'on-processor';
  }

  /** A replica has loaded its model where it was placed. */
  async loaded(): Promise<void> {
    if (this.#isOnCard) await this.#deps.onPlaced(null);
  }

  /**
   * What to do about a replica that ended by itself, or could not start.
   * @throws EndpointFailed when another one would end in the same way
   */
  async ended(cause: EndpointFailure): Promise<'restart' | 'restart-on-processor'> {
    const { reason } = cause;
    const isOfCard = reason === 'graphics-card' || reason === 'no-card-memory';
    if (!isOfCard || !isForCard(this.#wanted)) return 'restart';
    const problem = problemOf(cause);
    if (reason === 'graphics-card') await this.#deps.cards.failed(problem);
    if (!this.#isOnCard) return 'restart'; // another replica has left the card already
    this.#requireLeave(cause);
    await this.#leaveCard(problem);
    return 'restart-on-processor';
  }

  /**
   * @throws EndpointFailed where it may not run on the processor instead: its owner demanded the card, or the card has too
   * little memory only for one more replica, or for the one of an update
   */
  #requireLeave(cause: ConstructorParameters<typeof EndpointFailed>[0]): void {
    if (cause.reason === 'no-card-memory' && this.#deps.othersServe()) {
      throw new EndpointFailed({ ...cause, action: MAKE_ROOM });
    }
    if (!this.#mayUseProcessor) throw new EndpointFailed(cause);
  }

  /** From now on replicas start on the processor. */
  async #leaveCard(problem: CardProblem): Promise<void> {
    this.#notOnCard = problem;
    await this.#deps.onPlaced(problem);
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

/** The problem of the card that ended a replica. */
function problemOf({ reason, message, action }: EndpointFailure): CardProblem {
  if (reason === 'no-card-memory') return { kind: 'no-memory', message, action };
  const known = [cardProblem('card-lost'), DRIVER_SILENT].find((each) => message === each.message);
  return known ?? { kind: 'driver-crashed', message, action };
}

const noRuntime = ({ problem, action, reason }: NoRuntime) =>
  new EndpointFailed({ reason, message: problem, action: `${action} Then resume the endpoint.` });
