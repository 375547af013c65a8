import { join } from 'node:path';
import { readComputeOffers } from './catalog/compute/compute-offers.ts';
import { measureThisMachine } from './catalog/compute/this-machine.ts';
import { EmbeddedSource } from './catalog/embedded-source.ts';
import { Models as ModelsForPeople } from './catalog/models.ts';
import { ChosenCatalog } from './catalog/remote/chosen-catalog.ts';
import type { BaseParts } from './create-base.ts';
import { Deployer } from './endpoints/deployer.ts';
import { EndpointManagement } from './endpoints/endpoint-management.ts';
import { Endpoints } from './endpoints/endpoints.ts';
import { NO_RUNTIME_YET } from './endpoints/states/endpoint-lifecycle.ts';
import { ModelsLifecycle } from './lifecycle/models-lifecycle.ts';
import { lazy } from './shared/async/lazy.ts';

/** Composes the services for models: the catalog and endpoints. Nothing is read until `lifecycle` starts. */
export function createModels(base: BaseParts) {
  const { options, paths, secrets, address, childEnvironment, publish, now, log } = base;
  const catalogDir = join(options.resources.assetsDir, 'catalog');
  const catalog = new ChosenCatalog({
    shipped: new EmbeddedSource({ file: options.catalogFile ?? join(catalogDir, 'catalog-items.json'), log }),
    choiceFile: paths.catalogSourceFile,
    copyFile: paths.remoteCatalogFile,
    secrets,
    isOwn: ({ host }) => address.hosts.has(host),
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
  const management = new EndpointManagement({ endpoints, offers });
  const models = new ModelsForPeople({ catalog, offers, suggestedName: (model) => deployer.suggestedName(model) });
  const lifecycle = new ModelsLifecycle({ catalog, endpoints, offers, publish, log });
  return { catalog, endpoints, management, deployer, models, lifecycle, opened: lifecycle.opened };
}
