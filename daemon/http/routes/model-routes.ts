import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { RuntimeList } from '../../contract/endpoints/runtimes.ts';
import type { Clock } from '../../shared/clock.ts';
import { InvalidBody } from '../../shared/invalid-input.ts';
import { endpointReplies } from './endpoint-routes.ts';
import type { Routes } from './serve-operations.ts';
import type { ModelServices } from './services.ts';

/** A check itself ends earlier, with an error. */
const CHECK_MS = 60_000;

/** Models, endpoints and the catalog's source for the dashboard; the files of models, and the programs that serve them. */
export function modelRoutes(clock: Clock, services: ModelServices) {
  const {
    models,
    downloads,
    catalog,
    ownEndpoints,
    canMail,
    modelFiles,
    runtimes,
    cards,
    cardReport,
    llamaServerInstaller,
  } = services;
  const endpointReply = endpointReplies(canMail);
  const list = async (): Promise<RuntimeList> => ({
    runtimes: [...(await runtimes.list())],
    installable: await llamaServerInstaller.installable(),
    containers: await runtimes.containers(),
  });
  return {
    listModels: ({ query }) => models.list(query),
    getModel: ({ params }) => models.detail(params.author, params.model),
    getModelDownloads: ({ params }) => downloads(params.author, params.model),
    listOwnEndpoints: async ({ query }, { request }) => {
      const { endpoints, ...page } = await ownEndpoints.list(query);
      return {
        endpoints: endpoints.map(({ endpoint, ...rest }) => ({
          ...rest,
          endpoint: endpointReply(endpoint, rest.namespace, request),
        })),
        ...page,
      };
    },
    getOwnEndpoint: async ({ params: { namespace, name } }, { request }) => {
      const { endpoint, ...rest } = await ownEndpoints.detail(namespace, name);
      return { ...rest, endpoint: endpointReply(endpoint, namespace, request) };
    },
    getEndpointHistory: ({ params: { namespace, name } }) => ownEndpoints.history(namespace, name),
    getCatalogSource: () => catalog.status,
    useRemoteCatalog: ({ body }) => catalog.use(body),
    refreshCatalog: () => catalog.refresh(),
    useShippedCatalog: () => catalog.useShipped(),

    listModelFiles: () => modelFiles.list(),
    removeModelFile: ({ params }) => modelFiles.remove(params.fileId),
    checkModelFile: ({ body }) => modelFiles.check(absolute(body.path), { signal: clock.timeout(CHECK_MS) }),
    listRuntimes: list,
    findRuntimes: () => {
      runtimes.refresh();
      return list();
    },
    listGraphicsCards: ({ query }) => cardReport(query.measure),
    switchGraphicsCards: async ({ body }) => {
      await cards.switch(body.isOn);
      return cardReport(true);
    },
    tryGraphicsCardsAgain: async () => {
      await cards.tryAgain();
      return cardReport(true);
    },
    installLlamaServer: () => llamaServerInstaller.install(),
  } satisfies Partial<Routes>;
}

function absolute(path: string): string {
  if (isAbsolute(path)) return path;
  const full = /^~[\\/]/.test(path) ? join(homedir(), path.slice(2)) : '/home/me/models/model.gguf';
  const message = `Write the full path, ${path.startsWith('~') ? 'here' : 'such as'} ${full}.`;
  throw new InvalidBody(message, [{ path: ['path'], message: 'must be absolute' }]);
}
