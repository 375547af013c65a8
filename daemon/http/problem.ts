import type { ErrorRequestHandler, Response } from 'express';
import { InvalidToken, TokensBusy, TokensUnreadable } from '../access/errors.ts';
import { ImageRefused } from '../apps/app-readmes.ts';
import { NeedUnmet } from '../apps/needs/errors.ts';
import { DownloadCacheNotPruned } from '../apps/python/download-cache.ts';
import { SavedSinceReset } from '../apps/reset/errors.ts';
import { AppCannotStart } from '../apps/run/errors.ts';
import { NotPublishable } from '../assistant/errors.ts';
import { CatalogUnavailable } from '../catalog/errors.ts';
import { RemoteCatalogFailed, type RemoteFailureKind } from '../catalog/remote/errors.ts';
import type { Issue } from '../contract/common/common.ts';
import { HubError } from '../hub/errors.ts';
import { TooManyJobs } from '../jobs/errors.ts';
import { ModelFileError } from '../model-files/errors.ts';
import { MailFailed } from '../notifications/mail/errors.ts';
import { RobotUnavailable } from '../robot/errors.ts';
import { TargetUnreachable } from '../robot/motions/errors.ts';
import { Conflict, NotFound, ShuttingDown } from '../shared/domain-error.ts';
import { SecretKeyUnavailable } from '../shared/files/key-file-secret-store.ts';
import { DataFolderReadOnly, DiskFull, storageErrorBehind } from '../shared/files/storage-errors.ts';
import { InvalidBody, InvalidQuery } from '../shared/invalid-input.ts';
import type { Logger } from '../shared/logger.ts';
import { ForeignRequest, MethodNotAllowed, NotAllowed, TooManyStreams, Unauthorized } from './requests/errors.ts';

/** The answer to an error of one class. */
interface Reply {
  readonly type: abstract new (...args: never[]) => Error;
  readonly status: number;
  /** The fields of the error that go into the body. `action`, a sentence, follows the message. */
  readonly fields: readonly string[];
}

function reply<E extends Error>(
  type: abstract new (...args: never[]) => E,
  status: number,
  ...fields: readonly (keyof E & string)[]
): Reply {
  return { type, status, fields };
}

/** The replies to errors. An error that is of none of these classes is a bug: 500. */
const replies: readonly Reply[] = [
  reply(InvalidQuery, 400, 'details'),
  reply(InvalidBody, 400, 'issues'),
  reply(Unauthorized, 401),
  reply(InvalidToken, 401),
  reply(ForeignRequest, 403),
  reply(NotAllowed, 403),
  reply(NotFound, 404),
  reply(MethodNotAllowed, 405),
  reply(NeedUnmet, 409, 'code', 'unmet'),
  reply(SavedSinceReset, 409, 'code'),
  reply(Conflict, 409),
  reply(NotPublishable, 422),
  reply(TargetUnreachable, 422),
  reply(ModelFileError, 422, 'action'),
  reply(ImageRefused, 422),
  reply(AppCannotStart, 500),
  reply(DownloadCacheNotPruned, 500),
  reply(CatalogUnavailable, 500),
  reply(TokensUnreadable, 500),
  reply(HubError, 502, 'action'),
  reply(MailFailed, 502, 'action'),
  reply(DataFolderReadOnly, 503, 'action', 'code'),
  reply(RobotUnavailable, 503),
  reply(SecretKeyUnavailable, 503, 'action'),
  reply(ShuttingDown, 503),
  reply(TooManyStreams, 503),
  reply(TokensBusy, 503),
  reply(TooManyJobs, 503),
  reply(DiskFull, 507, 'action', 'code'),
];

/** The remote service's refusals of a request become ours; its own failures become 502. */
const remoteStatuses: { readonly [Kind in RemoteFailureKind]?: number } = {
  rejected: 400,
  'not-found': 404,
  conflict: 409,
  'outcome-unknown': 504,
};

const replyTo = (error: Error): Reply | undefined => replies.find(({ type }) => error instanceof type);

function statusOf(error: Error): number | undefined {
  if (error instanceof HubError && error.kind === 'not-found') return 404;
  if (error instanceof ModelFileError && error.kind === 'missing') return 404;
  if (error instanceof RemoteCatalogFailed) return remoteStatuses[error.kind] ?? 502;
  return replyTo(error)?.status;
}

/** @param dataDir the data folder; errors of writes in it are no bugs */
export function problemHandler(log: Logger, dataDir: string): ErrorRequestHandler {
  return (thrown, request, response, next) => {
    if (response.headersSent) return next(thrown); // the response has begun, so Express closes the connection
    response.setHeader('Cache-Control', 'no-store');
    const known = mapped(thrown);
    const error = statusOf(known) === undefined ? (storageErrorBehind(known, dataDir) ?? known) : known;
    const status = statusOf(error);
    if (status === undefined) {
      log.error(`http: ${request.method} ${request.path}`, error);
      response.status(500).json({ error: 'Internal error in the daemon. See its log.' });
      return;
    }
    addHeaders(error, response);
    response.status(status).json(bodyOf(error));
  };
}

/** Maps errors of Express and its parsers, identified by status or type, to ours. */
function mapped(thrown: unknown): Error {
  const error = thrown as Error & { type?: string; status?: number };
  if (error instanceof URIError || (error.status === 400 && /decode param/i.test(error.message))) {
    return new InvalidBody('The path cannot be decoded.', [{ path: [], message: 'bad percent-encoding' }]);
  }
  switch (error.type) {
    case 'entity.parse.failed':
      return new InvalidBody('The body is not JSON.', [{ path: [], message: error.message }]);
    case 'entity.too.large':
      return new InvalidBody('The body is too large.', [{ path: [], message: 'at most 64 kB' }]);
    case 'encoding.unsupported':
    case 'charset.unsupported':
    case 'request.aborted':
    case 'request.size.invalid':
      return new InvalidBody('The body cannot be read.', [{ path: [], message: error.message }]);
    default:
      // A body that cannot be decompressed: the parser passes on zlib's error.
      if (error.status === 400)
        return new InvalidBody('The body cannot be read.', [{ path: [], message: error.message }]);
      return error;
  }
}

function bodyOf(error: Error): object {
  const isRejected = error instanceof RemoteCatalogFailed && error.kind === 'rejected';
  const body: Record<string, unknown> = { error: error.message };
  for (const name of isRejected ? ['issues'] : (replyTo(error)?.fields ?? [])) {
    const value: unknown = Reflect.get(error, name);
    if (name === 'action') body['error'] = `${error.message} ${String(value)}`;
    else body[name] = Array.isArray(value) ? value.map(withCode) : value;
  }
  return body;
}

const withCode = (issue: Issue): Issue => ({ code: 'custom', ...issue });

function addHeaders(error: Error, response: Response): void {
  if (error instanceof Unauthorized || error instanceof InvalidToken) response.setHeader('WWW-Authenticate', 'Bearer');
  if (error instanceof MethodNotAllowed) response.setHeader('Allow', error.allowed.join(', '));
}
