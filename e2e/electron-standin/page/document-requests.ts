import type { DevToolsSession } from '../chromium/devtools.ts';

/** A request for the document of a frame. */
export interface DocumentRequest {
  readonly url: string;
  readonly frameId: string;
  readonly isRedirect: boolean;
}

/** Holds each request for a document until it is decided, so that a listener can really prevent it. */
export async function decideDocumentRequests(
  session: DevToolsSession,
  isAllowed: (request: DocumentRequest) => Promise<boolean>,
): Promise<void> {
  session.on('Fetch.requestPaused', ({ requestId, request, frameId, redirectedRequestId }) => {
    const url = request.url + (request.urlFragment ?? '');
    void isAllowed({ url, frameId, isRedirect: redirectedRequestId !== undefined }).then((allowed) => {
      if (allowed) session.trySend('Fetch.continueRequest', { requestId });
      else session.trySend('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
    });
  });
  await session.send('Fetch.enable', {
    patterns: [{ urlPattern: '*', resourceType: 'Document', requestStage: 'Request' }],
  });
}
