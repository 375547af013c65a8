import type { EndpointsStatus } from './contract/endpoint.ts';
import type { CatalogSourceStatus } from './contract/models.ts';
import type { Models } from './create-models.ts';
import type { Publish } from './shared/event-bus.ts';
import type { Logger } from './shared/logger.ts';
import { ShuttingDown } from './shared/shutting-down.ts';

/**
 * All that has to do with models, loaded behind the start: it is some seventy modules, which nobody needs who only wants
 * the robot. Whoever asks for models meanwhile waits; whoever looks sees none yet.
 */
export class LateModels {
  readonly #create: () => Promise<Models>;
  readonly #publish: Publish;
  #models: Models | null = null;
  #loading: Promise<Models> | null = null;
  #turn: NodeJS.Immediate | undefined;
  #isClosed = false;

  constructor(create: () => Promise<Models>, publish: Publish) {
    this.#create = create;
    this.#publish = publish;
  }

  get catalogSource(): CatalogSourceStatus {
    const none = { kind: 'embedded', url: null, hasToken: false, fetchedAt: null, problem: null, total: 0 } as const;
    return this.#models?.catalog.status ?? none;
  }

  get endpoints(): EndpointsStatus {
    return this.#models?.endpoints.status ?? { total: 0, revision: 0, states: {} };
  }

  /** Loads them, once; after a failure anew. @throws ShuttingDown */
  async get(): Promise<Models> {
    if (this.#isClosed && !this.#loading) throw new ShuttingDown();
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = null;
      throw error;
    });
    return this.#loading;
  }

  /** Begins to load them once all else has had its turn. */
  start(log: Logger): void {
    this.#turn = setImmediate(
      () => void this.get().catch((error: unknown) => log.error('models cannot be had', error)),
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearImmediate(this.#turn);
    await (await this.#loading?.catch(() => null))?.close();
  }

  async #load(): Promise<Models> {
    const models = await this.#create();
    await models.catalog.open();
    this.#models = models;
    this.#publish({ type: 'catalog-source.changed', catalogSource: this.catalogSource });
    models.start();
    return models;
  }
}
