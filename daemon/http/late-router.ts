import type { RequestHandler } from 'express';

/**
 * Routes that are loaded later than the rest: whoever asks for one of them meanwhile waits.
 * @param paths what they begin with
 */
export function lateRouter(paths: RegExp, load: () => Promise<RequestHandler>): RequestHandler {
  let router: Promise<RequestHandler> | undefined;
  return async (request, response, next) => {
    if (!paths.test(request.path)) return next();
    router ??= load().catch((error: unknown) => {
      router = undefined; // the next one who asks has it tried again
      throw error;
    });
    await (await router)(request, response, next);
  };
}
