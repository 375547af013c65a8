import type { ChosenCatalog } from '../catalog/remote/chosen-catalog.ts';
import type { LeftoverContainers } from '../containers/leftover-containers.ts';
import type { EndpointNewsWatch } from '../endpoints/endpoint-news.ts';
import type { Endpoints } from '../endpoints/endpoints.ts';
import type { MemoryRecords } from '../endpoints/measured-memory/memory-records.ts';
import type { MemoryWatch } from '../endpoints/memory-watch.ts';
import type { SpeedRecords } from '../endpoints/speed-records.ts';
import type { Supervisor } from '../endpoints/supervisor.ts';
import type { Publish } from '../shared/async/event-bus.ts';
import { lazy } from '../shared/async/lazy.ts';
import { ShuttingDown } from '../shared/domain-error.ts';
import type { Logger } from '../shared/logger.ts';

interface ModelsLifecycleDeps {
  readonly catalog: Pick<ChosenCatalog, 'open' | 'load' | 'status' | 'close'>;
  readonly endpoints: Pick<Endpoints, 'close'>;
  readonly supervisor: Pick<Supervisor, 'start' | 'close'>;
  /** Removes containers that nobody uses any more. */
  readonly leftoverContainers: Pick<LeftoverContainers, 'start' | 'close'>;
  readonly news: Pick<EndpointNewsWatch, 'start' | 'close'>;
  readonly memoryWatch: Pick<MemoryWatch, 'start' | 'stop'>;
  /** Keeps what they used at most. */
  readonly memoryRecords: Pick<MemoryRecords, 'load' | 'close'>;
  /** Keeps how fast they were. */
  readonly speedRecords: Pick<SpeedRecords, 'load' | 'close'>;
  readonly sockets: { remove(): Promise<void> };
  readonly publish: Publish;
  readonly log: Logger;
}

/**
 * Opens the catalog and loads the endpoints once the daemon listens, so that they do not delay its start. Requests for
 * models wait for `opened`; status reads report no models until then.
 */
export class ModelsLifecycle {
  readonly #deps: ModelsLifecycleDeps;
  /** Opens once for all callers; a call after a failure tries again. @throws ShuttingDown, or the failure */
  readonly opened = lazy(() => this.#open());
  #opening: NodeJS.Immediate | undefined;
  #isClosed = false;

  constructor(deps: ModelsLifecycleDeps) {
    this.#deps = deps;
  }

  /** Opens once the event loop has run everything else that the start began. */
  start(): void {
    const { log } = this.#deps;
    const failed = (error: unknown) => log.error('the models could not be opened', error);
    this.#opening = setImmediate(() => void this.opened().catch(failed));
  }

  async close(): Promise<void> {
    const {
      catalog,
      endpoints,
      supervisor,
      leftoverContainers,
      memoryWatch,
      memoryRecords,
      speedRecords,
      news,
      sockets,
    } = this.#deps;
    this.#isClosed = true;
    clearImmediate(this.#opening);
    await this.opened().catch(() => {}); // an opening under way finishes first; a later one is refused
    news.close();
    memoryWatch.stop();
    await Promise.all([supervisor.close(), leftoverContainers.close()]);
    await Promise.all([
      catalog.close(),
      endpoints.close(),
      memoryRecords.close(),
      speedRecords.close(),
      sockets.remove(),
    ]);
  }

  async #open(): Promise<void> {
    if (this.#isClosed) throw new ShuttingDown();
    const { catalog, supervisor, leftoverContainers, memoryWatch, memoryRecords, speedRecords, news, publish, log } =
      this.#deps;
    await catalog.open();
    await memoryRecords.load();
    await speedRecords.load();
    publish({ type: 'catalog-source.changed', catalogSource: catalog.status });
    const failed = (what: string) => (error: unknown) => log.error(`could not read ${what}`, error);
    news.start().catch(() => {}); // the next line fails for the same reason, and says so
    leftoverContainers.start();
    memoryWatch.start();
    supervisor.start().catch(failed('the endpoints'));
    catalog.load().catch(() => {}); // the catalog logs its own failure
  }
}
