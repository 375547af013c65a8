import type { OwnAppsService } from '../../own-apps/own-apps.ts';
import type { Authenticate } from '../security/authentication.ts';
import type { RequestSources } from '../security/request-sources.ts';
import type { Routes } from './serve-operations.ts';

export interface OwnAppServices {
  readonly ownApps: OwnAppsService;
  readonly authenticate: Authenticate;
  readonly sources: Pick<RequestSources, 'hasRightsOfHere'>;
}

/** The apps that the user writes. */
export function ownAppRoutes({ ownApps, authenticate, sources }: OwnAppServices) {
  return {
    listOwnApps: () => ownApps.list(),
    createOwnApp: ({ body }) => ownApps.create(body),
    addOwnApp: ({ body }) => ownApps.add(body.folder),
    forgetOwnApp: ({ params }) => ownApps.forget(params.ownAppId),
    checkOwnApp: ({ params }) => ownApps.check(params.ownAppId),
    fixOwnApp: ({ params }) => ownApps.fix(params.ownAppId),
    previewPublication: ({ params }) => ownApps.preview(params.ownAppId),
    publishOwnApp: ({ params, body }) => ownApps.publish(params.ownAppId, body),
    runOwnApp: ({ params, query }) => ownApps.run(params.ownAppId, query),
    stopOwnApp: ({ params }) => ownApps.stop(params.ownAppId),
    openOwnApp: async ({ params, body }, { request }) => {
      const isHere = sources.hasRightsOfHere(request, await authenticate(request));
      return ownApps.open(params.ownAppId, body.file ?? null, { isHere });
    },
  } satisfies Partial<Routes>;
}
