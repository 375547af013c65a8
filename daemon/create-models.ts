import { join } from 'node:path';
import { readComputeOffers } from './catalog/compute-offers.ts';
import { EmbeddedSource } from './catalog/embedded-source.ts';
import { Models as ModelsForPeople } from './catalog/models.ts';
import { ChosenCatalog } from './catalog/remote/chosen-catalog.ts';
import { measureThisMachine } from './catalog/this-machine.ts';
import type { DaemonOptions } from './daemon-options.ts';
import { Deployer } from './endpoints/deployer.ts';
import { NO_RUNTIME_YET } from './endpoints/endpoint-lifecycle.ts';
import { Endpoints } from './endpoints/endpoints.ts';
import { ModelsLifecycle } from './lifecycle/models-lifecycle.ts';
import type { Now } from './shared/clock.ts';
import type { DataPaths } from './shared/data-paths.ts';
import type { Publish } from './shared/event-bus.ts';
import { lazy } from './shared/lazy.ts';
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

/** Composes all that has to do with models: the catalog and endpoints. Nothing is read until `lifecycle` starts. */
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
  const offers = lazy(async () => [
    ...(await measureThisMachine(childEnvironment())),
    ...readComputeOffers(join(catalogDir, 'compute-offers.json')),
  ]);
  const deployer = new Deployer({ catalog, offers, endpoints, random: Math.random });
  const models = new ModelsForPeople({ catalog, offers, suggestedName: (model) => deployer.suggestedName(model) });
  const lifecycle = new ModelsLifecycle({ catalog, endpoints, offers, publish, log });
  return { catalog, endpoints, offers, deployer, models, lifecycle, opened: lifecycle.opened };
}
