import type { ErrorRequestHandler, Response } from 'express';
import { InvalidToken, SessionNotFound } from '../access/errors.ts';
import {
  AppIsBeingInstalled,
  AppIsPinned,
  AppIsRunning,
  AppNotInstalled,
  NoPreviousVersion,
} from '../apps/installed/errors.ts';

import { MotionNotFound } from '../apps/motions-by-id.ts';
import { AssignedEndpointNotFound, NeedNotFound, NeedUnmet } from '../apps/needs/errors.ts';
import { DownloadCacheInUse, DownloadCacheNotPruned } from '../apps/python/download-cache.ts';
import { ImageNotFound, ImageRefused } from '../apps/readme/readme-image.ts';
import {
  AppAlreadyRunning,
  AppNotStartable,
  FinishedRunNotFound,
  NoAppRunning,
  NotOurApp,
  RunNotFound,
  StartCancelled,
  VariablesDamaged,
  VariablesUnreadable,
} from '../apps/run/errors.ts';
import { AppFolderMissing } from '../assistant/check/setup/errors.ts';
import { AppFolderExists, DestinationMissing } from '../assistant/create/errors.ts';
import { NotPublishable, TokenReadOnly } from '../assistant/publish/space/errors.ts';
import { CatalogItemNotFound } from '../catalog/errors.ts';
import { CatalogUnavailable } from '../catalog/file/errors.ts';
import { RemoteCatalogFailed, type RemoteFailureKind } from '../catalog/remote/errors.ts';
import { NoCompatibleCompute, RecipeNotFound } from '../catalog/selection/errors.ts';
import type { Issue } from '../contract/common/common.ts';
import { EndpointNotFound, NamespaceNotFound } from '../endpoints/states/errors.ts';
import { HubError } from '../hub/errors.ts';
import { JobNotFound, TooManyJobs } from '../jobs/errors.ts';
import { ModelFileError, ModelFileInUse, ModelFileNotFound } from '../model-files/errors.ts';
import { NoticeNotFound } from '../notifications/errors.ts';
import { MailFailed, NoMailServer } from '../notifications/mail/errors.ts';
import {
  FileNotInFolder,
  FolderNotFound,
  NotSignedInToHub,
  OwnAppFolderGone,
  OwnAppIsRunning,
  OwnAppNotFound,
  WindowsNotShown,
} from '../own-apps/errors.ts';
import { MotionRefused, MoveNotFound, NotSimulated, RobotUnavailable } from '../robot/errors.ts';
import { MotionUnderWay, TargetUnreachable } from '../robot/motions/errors.ts';
import { SecretKeyUnavailable, SecretUnreadable } from '../shared/files/key-file-secret-store.ts';
import { DataFolderReadOnly, DiskFull, StorageError, storageErrorBehind } from '../shared/files/storage-errors.ts';
import { InvalidBody, InvalidQuery } from '../shared/invalid-input.ts';
import type { Logger } from '../shared/logger.ts';
import { ShuttingDown } from '../shared/shutting-down.ts';
import {
  ForeignRequest,
  MethodNotAllowed,
  NotAllowed,
  PathNotFound,
  TooManyStreams,
  Unauthorized,
} from './requests/errors.ts';

// biome-ignore lint/suspicious/noExplicitAny: the constructors of error classes take different arguments
type ErrorClass = new (...args: any[]) => Error;

/** The statuses of errors. An error that is not listed is a bug: 500. */
const statuses: readonly (readonly [ErrorClass, number])[] = [
  [InvalidQuery, 400],
  [InvalidBody, 400],
  [Unauthorized, 401],
  [InvalidToken, 401],
  [ForeignRequest, 403],
  [NotAllowed, 403],
  [AppNotInstalled, 404],
  [DestinationMissing, 404],
  [SessionNotFound, 404],
  [JobNotFound, 404],
  [RunNotFound, 404],
  [FinishedRunNotFound, 404],
  [CatalogItemNotFound, 404],
  [RecipeNotFound, 404],
  [EndpointNotFound, 404],
  [NamespaceNotFound, 404],
  [NeedNotFound, 404],
  [AssignedEndpointNotFound, 404],
  [ModelFileNotFound, 404],
  [ImageNotFound, 404],
  [NoticeNotFound, 404],
  [MotionNotFound, 404],
  [MoveNotFound, 404],
  [OwnAppNotFound, 404],
  [OwnAppFolderGone, 404],
  [FolderNotFound, 404],
  [FileNotInFolder, 404],
  [AppFolderMissing, 404],
  [PathNotFound, 404],
  [MethodNotAllowed, 405],
  [AppAlreadyRunning, 409],
  [AppIsBeingInstalled, 409],
  [AppIsPinned, 409],
  [AppIsRunning, 409],
  [NoPreviousVersion, 409],
  [OwnAppIsRunning, 409],
  [NotSignedInToHub, 409],
  [WindowsNotShown, 409],
  [AppFolderExists, 409],
  [TokenReadOnly, 409],
  [NoAppRunning, 409],
  [NotOurApp, 409],
  [StartCancelled, 409],
  [DownloadCacheInUse, 409],
  [NeedUnmet, 409],
  [VariablesDamaged, 409],
  [VariablesUnreadable, 409],
  [SecretUnreadable, 409],
  [NoMailServer, 409],
  [MotionRefused, 409],
  [MotionUnderWay, 409],
  [NotSimulated, 409],
  [NoCompatibleCompute, 409],
  [ModelFileInUse, 409],
  [NotPublishable, 422],
  [TargetUnreachable, 422],
  [ModelFileError, 422],
  [ImageRefused, 422],
  [AppNotStartable, 500],
  [DownloadCacheNotPruned, 500],
  [CatalogUnavailable, 500],
  [HubError, 502],
  [MailFailed, 502],
  [DataFolderReadOnly, 503],
  [RobotUnavailable, 503],
  [SecretKeyUnavailable, 503],
  [ShuttingDown, 503],
  [TooManyStreams, 503],
  [TooManyJobs, 503],
  [DiskFull, 507],
];

/** The remote service's refusals of a request become ours; its own failures become 502. */
const remoteStatuses: { readonly [Kind in RemoteFailureKind]?: number } = {
  rejected: 400,
  'not-found': 404,
  conflict: 409,
  'outcome-unknown': 504,
};

function statusOf(error: Error): number | undefined {
  if (error instanceof HubError && error.kind === 'not-found') return 404;
  if (error instanceof ModelFileError && error.kind === 'missing') return 404;
  if (error instanceof RemoteCatalogFailed) return remoteStatuses[error.kind] ?? 502;
  return statuses.find(([type]) => error instanceof type)?.[1];
}

/** @param dataDir the data folder; errors of writes in it are told from bugs */
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
  if (error instanceof InvalidBody) return { error: error.message, issues: error.issues.map(withCode) };
  if (error instanceof InvalidQuery) return { error: error.message, details: error.details.map(withCode) };
  if (hasAction(error)) return { error: `${error.message} ${error.action}` };
  if (error instanceof RemoteCatalogFailed && error.kind === 'rejected') {
    return { error: error.message, issues: error.issues.map(withCode) };
  }
  if (error instanceof NeedUnmet) return { error: error.message, code: error.code, unmet: error.unmet };
  if (error instanceof StorageError) return { error: `${error.message} ${error.action}`, code: error.code };
  return { error: error.message };
}

/** Errors whose `action` belongs to the reply. */
const hasAction = (error: Error) =>
  error instanceof HubError ||
  error instanceof MailFailed ||
  error instanceof ModelFileError ||
  error instanceof SecretKeyUnavailable;

const withCode = (issue: Issue): Issue => ({ code: 'custom', ...issue });

function addHeaders(error: Error, response: Response): void {
  if (error instanceof Unauthorized || error instanceof InvalidToken) response.setHeader('WWW-Authenticate', 'Bearer');
  if (error instanceof MethodNotAllowed) response.setHeader('Allow', error.allowed.join(', '));
}
