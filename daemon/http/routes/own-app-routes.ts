import type { OwnAppsService } from '../../own-apps/own-apps.ts';
import type { RequestSources } from '../security/request-sources.ts';
import type { Routes } from './serve-operations.ts';

export interface OwnAppServices {
  readonly ownApps: OwnAppsService;
  readonly sources: Pick<RequestSources, 'isFromHere'>;
}

/** The apps that the user writes. */
export function ownAppRoutes({ ownApps, sources }: OwnAppServices) {
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
    openOwnApp: ({ params, body }, { request }) =>
      ownApps.open(params.ownAppId, body.file ?? null, { isHere: sources.isFromHere(request) }),
  } satisfies Partial<Routes>;
}
