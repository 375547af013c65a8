import type { Response } from 'express';
import type { IconPicture } from '../../app-package/icon/icon-picture.ts';
import { commandCaller } from '../security/command-caller.ts';
import type { Routes } from './serve-operations.ts';
import type { RouteServices } from './services.ts';

/** The installed apps, their runs, the hub's apps, and those that the user writes. */
export function appRoutes({ apps, ownApps, authenticate, sources }: RouteServices) {
  return {
    listApps: () => apps.installed.list(),
    listSampleApps: () => apps.samples(),
    getSampleIcon: async ({ params }) => iconReply(await apps.icons.sample(params.sampleName)),
    installApp: ({ body }) => apps.installer.install(body.url, body),
    checkForUpdates: () => apps.updates.check(),
    getApp: ({ params }) => apps.installed.get(params.appName),
    getAppDisk: ({ params }) => apps.installed.disk(params.appName),
    getAppReadme: ({ params }) => apps.readmes.readme(params.appName),
    getAppImage: ({ params, query }) => apps.readmes.image(params.appName, query.path),
    getAppIcon: async ({ params }) => iconReply(await apps.icons.installed(params.appName)),
    updateApp: ({ params, query }) => apps.installer.update(params.appName, query),
    rollBackApp: ({ params }) => apps.versions.rollBack(params.appName),
    pinApp: ({ params, body }) => apps.versions.pin(params.appName, body.pinned),
    removeApp: ({ params }) => apps.versions.remove(params.appName),
    getDownloadCache: () => apps.downloadCaches.size(),
    pruneDownloadCache: () => apps.downloadCaches.prune(),
    getStartupApp: () => ({ startupApp: apps.startupApp.name }),
    setStartupApp: async ({ body }) => ({ startupApp: await apps.startupApp.choose(body.startupApp) }),
    assignEndpoint: ({ params, body, caller }) => apps.needs.assign(params.appName, params.need, body.endpoint, caller),
    listAppVariables: ({ params }) => apps.variables.list(params.appName),
    setAppVariable: ({ params, body }) => apps.variables.set(params.appName, params.variable, body),
    removeAppVariable: ({ params }) => apps.variables.remove(params.appName, params.variable),
    getAppReset: ({ params }, { response }) => apps.resets.status(params.appName, whileAwaited(response)),
    resetApp: ({ params }) => apps.resets.reset(params.appName),
    undoAppReset: ({ params, query }) => apps.resets.undo(params.appName, query),

    startApp: ({ params, query }, { request }) => {
      const replace = query.replace ?? false;
      return apps.runner.start(params.appName, { ...query, replace, caller: commandCaller(request) });
    },
    stopCurrentApp: ({ query }, { request }) =>
      apps.runner.stop({ force: query.force ?? false, caller: commandCaller(request) }),
    restartCurrentApp: ({ query }, { request }) => apps.runner.restart({ ...query, caller: commandCaller(request) }),
    getAppSlot: () => apps.slot.state,
    getAppOutput: ({ query }) => apps.output.page(query),
    listRuns: ({ query }) => apps.history.list(query),
    listCrashes: () => apps.history.crashes,
    markCrashSeen: ({ params }) => apps.history.markSeen(params.runId),
    getRunOutput: ({ params, query }) => apps.history.output(params.runId, query),
    getRunOutputFile: ({ params, query }) => apps.history.outputFile(params.runId, query),

    listStore: ({ query }) => apps.store.list(query),
    refreshStore: () => apps.store.refresh(),
    getStoreApp: ({ params }) => apps.store.detail(`${params.owner}/${params.name}`),
    getStoreAppImage: ({ params, query }) =>
      apps.readmes.storeImage(`${params.owner}/${params.name}`, query.commit, query.path),
    getHubAccount: () => apps.hubSignIn.account(),
    signInToHub: ({ body }) => apps.hubSignIn.signIn(body.token),
    signOutOfHub: () => apps.hubSignIn.signOut(),

    listOwnApps: () => ownApps.list(),
    getOwnAppIcon: async ({ params }) => iconReply(await ownApps.icon(params.ownAppId)),
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

/** Sends a picture that somebody else made. Where it is opened as a page of its own, it runs and loads nothing. */
function iconReply({ type, bytes }: IconPicture): (response: Response) => void {
  return (response) => {
    response.set('Content-Security-Policy', "sandbox; default-src 'none'; style-src 'unsafe-inline'");
    // The text was read as UTF-8, which another encoding named in it must not change.
    response.type(type === 'image/svg+xml' ? `${type}; charset=utf-8` : type).send(bytes);
  };
}

/** Aborts once the client is gone, or has its reply. */
function whileAwaited(response: Response): AbortSignal {
  const over = new AbortController();
  response.once('close', () => over.abort());
  return over.signal;
}
