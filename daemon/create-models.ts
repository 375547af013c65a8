import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { shippedCatalog } from './catalog/catalog-file.ts';
import { cardUsage } from './catalog/compute/card-usage.ts';
import { readComputeOffers } from './catalog/compute/compute-offers.ts';
import { offersWithLimits } from './catalog/compute/local-programs.ts';
import { findNvidiaGpus } from './catalog/compute/nvidia-gpus.ts';
import { hostCapacity, machineOffers, measureHost } from './catalog/compute/this-machine.ts';
import { ChosenCatalog } from './catalog/remote/chosen-catalog.ts';
import { Models as ModelsForPeople } from './catalog/selection/models.ts';
import type { BaseParts } from './create-base.ts';
import { createModelFiles } from './create-model-files.ts';
import { createRuntimes } from './create-runtimes.ts';
import { cardReport } from './endpoints/card-report.ts';
import { Deployer } from './endpoints/deployer.ts';
import { EndpointManagement } from './endpoints/endpoint-management.ts';
import { EndpointNewsWatch } from './endpoints/endpoint-news.ts';
import { EndpointReadiness, priceOf } from './endpoints/endpoint-readiness.ts';
import { Endpoints } from './endpoints/endpoints.ts';
import { localImage } from './endpoints/local-image.ts';
import { MemoryRecords } from './endpoints/measured-memory/memory-records.ts';
import { MemoryWatch } from './endpoints/memory-watch.ts';
import { modelDownloads } from './endpoints/model-downloads.ts';
import { OwnEndpoints } from './endpoints/own-endpoints.ts';
import { replicaPlans } from './endpoints/replicas/replica-plans.ts';
import { SocketFolder } from './endpoints/replicas/socket-folder.ts';
import { SpeedRecords } from './endpoints/speed-records.ts';
import { Supervisor } from './endpoints/supervisor.ts';
import { TrafficRecords } from './endpoints/traffic-records.ts';
import type { HubClient } from './hub/hub-client.ts';
import type { JobQueue } from './jobs/job-queue.ts';
import { ModelsLifecycle } from './lifecycle/models-lifecycle.ts';
import type { Mailer } from './notifications/mail/mailer.ts';
import type { Notifications } from './notifications/notifications.ts';
import { lazy, sameWhileEqual } from './shared/async/lazy.ts';

export interface ModelsDeps {
  readonly hub: HubClient;
  readonly jobs: JobQueue;
  /** Hear what happens to the endpoints. */
  readonly notifications: Pick<Notifications, 'report' | 'forget'>;
  readonly mailer: Pick<Mailer, 'isSetUp'>;
  /** @throws StorageError when the data folder takes nothing */
  readonly requireRoom: () => Promise<void>;
}

export type Models = ReturnType<typeof createModels>;

/** Composes the services for models: the catalog and endpoints. Nothing is read until `lifecycle` starts. */
export function createModels(base: BaseParts, { hub, jobs, notifications, mailer, requireRoom }: ModelsDeps) {
  const { options, paths, secrets, address, childEnvironment, publish, clock, log } = base;
  const catalogDir = join(options.resources.assetsDir, 'catalog');
  const catalog = new ChosenCatalog({
    shipped: shippedCatalog(options.catalogFile ?? join(catalogDir, 'catalog-items.json'), log),
    choiceFile: paths.catalogSourceFile,
    copyFile: paths.remoteCatalogFile,
    secrets,
    isOwn: ({ host }) => address.hosts.has(host),
    publish,
    clock,
    log,
  });
  const endpoints = new Endpoints({
    folder: paths.endpoints,
    secrets,
    publish,
    now: clock.now,
    log,
  });
  const modelFiles = createModelFiles(base, { hub, endpoints });
  const { runtimes, cards, cardPlaces, llamaServerInstaller, leftoverContainers } = createRuntimes(base, jobs);
  const listed = lazy(async () => readComputeOffers(join(catalogDir, 'compute-offers.json')));
  const host = lazy(async () => measureHost());
  const gpus = lazy(() => findNvidiaGpus(childEnvironment()));
  const ofMachine = sameWhileEqual(async () => {
    const { cards: found, problem } = await cards.find();
    const free = problem ? [] : found.map((card) => ({ ...card, freeBytes: cardPlaces.freeBytes(card) }));
    return machineOffers(await host(), free, await gpus());
  });
  const compute = async () => [...(await ofMachine()), ...(await listed())];
  const offers = offersWithLimits({ ofMachine, listed, limits: () => runtimes.limits() });
  const memoryRecords = new MemoryRecords({ file: paths.measuredMemoryFile, log });
  const measured = () => memoryRecords.measurements;
  const speedRecords = new SpeedRecords({ file: paths.measuredSpeedFile, now: clock.now, log });
  const deployer = new Deployer({
    catalog,
    offers,
    measured,
    measureCards: () => cards.measureAll(),
    endpoints,
    random: Math.random,
  });
  const sockets = new SocketFolder(paths.sockets);
  const usagePercent = (names: readonly string[]) => cardUsage(names, childEnvironment());
  const supervisor = new Supervisor({
    endpoints,
    planOf: replicaPlans({
      guard: options.guard ?? (async () => {}),
      requireRoom,
      runtimeFor: (parts, how) => runtimes.forEndpoint(parts, how),
      models: modelFiles,
      secretsOf: (record) => endpoints.secretsOf(record),
      foundChatTemplate: (...found) => endpoints.foundChatTemplate(...found),
      ...{ cards, places: cardPlaces, placed: (...placed) => endpoints.placed(...placed) },
      sockets,
      availableBytes: () => measureHost().availableBytes,
      capacityBytes: () => hostCapacity(measureHost()),
      threads: Math.max(1, availableParallelism() - 1), // the rest is for the robot
      clock,
    }),
    priceOf: (endpoint) => priceOf(endpoint, compute),
    gpuUsage: usagePercent,
    canMail: () => mailer.isSetUp,
    clock,
    publish,
    log,
  });
  const news = new EndpointNewsWatch({
    endpoints,
    report: (each) => notifications.report(each),
    forget: (endpoint) => notifications.forget(endpoint),
    now: clock.now,
    log,
  });
  const traffic = new TrafficRecords(clock, (endpoint, tokensPerSecond) =>
    speedRecords.note(supervisor.serving(endpoint), tokensPerSecond),
  );
  const readiness = new EndpointReadiness({ endpoints, replicas: supervisor, offers: compute, clock });
  const memoryWatch = new MemoryWatch({
    clock,
    memory: () => supervisor.memory(),
    endpoint: (of) => endpoints.record(of)?.endpoint,
    traffic,
    records: memoryRecords,
    log,
  });
  const management = new EndpointManagement({
    ...{ endpoints, offers, traffic, supervisor },
    localImage: (model, offer) => localImage(model, offer, { catalog, hub }),
  });
  const ownEndpoints = new OwnEndpoints({ endpoints, supervisor, traffic, catalog, memoryRecords });
  const models = new ModelsForPeople({
    catalog,
    offers,
    measured,
    speeds: () => speedRecords.speeds,
    suggestedName: (model) => deployer.suggestedName(model),
  });
  const lifecycle = new ModelsLifecycle({
    catalog,
    endpoints,
    supervisor,
    leftoverContainers,
    memoryWatch,
    memoryRecords,
    speedRecords,
    news,
    sockets,
    publish,
    log,
  });
  return {
    ...{ catalog, endpoints, ownEndpoints, management, deployer, models, modelFiles, lifecycle },
    downloads: (author: string, model: string) => modelDownloads(author, model, { catalog, modelFiles }),
    canMail: () => mailer.isSetUp,
    cardReport: (measure: boolean) => cardReport(measure, { cards, places: cardPlaces, supervisor, usagePercent }),
    ...{ cards, opened: lifecycle.opened, readiness, traffic, supervisor, runtimes, llamaServerInstaller },
  };
}
