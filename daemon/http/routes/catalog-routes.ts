import type { Request, Response } from 'express';
import { accountOf } from '../../access/caller.ts';
import type { Deployment } from '../../endpoints/deployer.ts';
import { isKnownToClient } from '../requests/if-none-match.ts';
import { type EndpointReply, endpointReplies } from './endpoint-routes.ts';
import { notModified, type Routes } from './serve-operations.ts';
import type { ModelServices } from './services.ts';

/** The catalog, and the paths of older clients. */
export function catalogRoutes({ catalog, deployer, canMail }: ModelServices) {
  const deployed = deployReplies(endpointReplies(canMail));
  return {
    listCatalogItems: async ({ query }, { request, response }) => {
      const loaded = await catalog.load();
      const etag = `W/"${loaded.listVersion(query)}"`;
      const isKnown = isKnownToClient(request.get('if-none-match'), etag);
      response.set({ ETag: etag, 'Cache-Control': 'no-cache' });
      return isKnown ? notModified : (response) => sendCatalogList(response, loaded.listBody(query));
    },
    deployCatalogModel: async ({ params, body, caller }, { request }) =>
      deployed(await deployer.deployModel(params.author, params.model, body, caller), body.namespace, request),
    deployCatalogRecipe: async ({ params, body, caller }, { request }) =>
      deployed(await deployer.deployRecipe(params.recipePublicId, body, caller), body.namespace, request),

    listCatalogRepositories: async () => ({ models: (await catalog.load()).entries.map(({ item }) => item.repoId) }),
    deployCatalogRepository: async ({ body, caller }, { request }) =>
      deployed(await deployer.deployRepository(body, caller), body.namespace, request),
    whoAmI: ({ caller }) => accountOf(caller),
  } satisfies Partial<Routes>;
}

/** A reader that reads nothing for this long is disconnected. */
const STALLED_MS = 30_000;

export function sendCatalogList(response: Response, body: Buffer, stalledMs = STALLED_MS): void {
  response.setTimeout(stalledMs, () => response.destroy());
  response.type('json').set('Content-Length', `${body.length}`).end(body);
}

/** A remote service's own description stays as it is. */
function deployReplies(endpointReply: EndpointReply) {
  return ({ isRemote, endpoint }: Deployment, namespace: string, request: Request) => ({
    endpoint: isRemote ? endpoint : endpointReply(endpoint, namespace, request),
  });
}
