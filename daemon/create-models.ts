import { join } from 'node:path';
import type { ComputeOffer } from './catalog/compute-offer.ts';
import { readComputeOffers } from './catalog/compute-offers.ts';
import { EmbeddedSource } from './catalog/embedded-source.ts';
import { Models as ModelsForPeople } from './catalog/models.ts';
import { ChosenCatalog } from './catalog/remote/chosen-catalog.ts';
import { measureThisMachine } from './catalog/this-machine.ts';
import type { DaemonOptions } from './daemon-options.ts';
import { Deployer } from './endpoints/deployer.ts';
import { NO_RUNTIME_YET } from './endpoints/endpoint-lifecycle.ts';
import { Endpoints } from './endpoints/endpoints.ts';
import type { Now } from './shared/clock.ts';
import type { DataPaths } from './shared/data-paths.ts';
import type { Publish } from './shared/event-bus.ts';
import type { Logger } from './shared/logger.ts';
import type { SecretStore } from './shared/secret-store.ts';

export interface ModelsDeps {
  readonly options: DaemonOptions;
  readonly paths: DataPaths;
  readonly secrets: SecretStore;
  readonly childEnvironment: () => Record<string, string>;
  /** Whether an address is the daemon's own. */
  readonly isOwn: (address: URL) => boolean;
  readonly publish: Publish;
  readonly now: Now;
  readonly log: Logger;
}

export type Models = ReturnType<typeof createModels>;

/** Composes all that has to do with models: the catalog and endpoints. Nothing runs until `start`. */
export function createModels(deps: ModelsDeps) {
  const { options, paths, secrets, childEnvironment, isOwn, publish, now, log } = deps;
  const catalogDir = join(options.resources.assetsDir, 'catalog');
  const catalog = new ChosenCatalog({
    shipped: new EmbeddedSource({ file: options.catalogFile ?? join(catalogDir, 'catalog-items.json'), log }),
    choiceFile: paths.catalogSourceFile,
    copyFile: paths.remoteCatalogFile,
    secrets,
    isOwn,
    publish,
    now,
    log,
  });
  const endpoints = new Endpoints({
    folder: paths.endpoints,
    secrets,
    waitsFor: NO_RUNTIME_YET,
    publish,
    now,
    log,
  });
  let measured: Promise<readonly ComputeOffer[]> | undefined;
  const offers = () => {
    measured ??= measureThisMachine(childEnvironment())
      .then((here) => [...here, ...readComputeOffers(join(catalogDir, 'compute-offers.json'))])
      .catch((error: unknown) => {
        measured = undefined; // whoever asks next tries again
        throw error;
      });
    return measured;
  };
  const deployer = new Deployer({ catalog, offers, endpoints, random: Math.random });
  return {
    catalog,
    endpoints,
    offers,
    deployer,
    models: new ModelsForPeople({ catalog, offers, suggestedName: (model) => deployer.suggestedName(model) }),
    /** Measures this machine and reads what there is, behind the start: whoever asks meanwhile waits. */
    start: () => {
      const failed = (what: string) => (error: unknown) => log.error(`${what} cannot be read`, error);
      offers().catch(failed('what this machine has'));
      endpoints.load().catch(failed('the endpoints'));
      catalog.load().catch(() => {}); // said by whoever could not load it
    },
    close: () => Promise.all([catalog.close(), endpoints.close()]),
  };
}
