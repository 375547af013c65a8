/** A step of an update that failed: why, and what to do, each in a sentence. */
interface UpdateFailure {
  readonly reason: string;
  readonly action: string;
}

type FailedStep = 'look' | 'download' | 'install';

const AGAIN = 'Try again later.';
const notDone = { look: 'looked up', download: 'downloaded', install: 'installed' } as const satisfies Record<
  FailedStep,
  string
>;

/** The known failures, by a code or a part of the message. The first that fits counts. */
const known: readonly (readonly [pattern: RegExp, failure: (step: FailedStep) => UpdateFailure])[] = [
  [
    /ERR_CHECKSUM_MISMATCH|sha512 checksum mismatch/i,
    () => ({
      reason: 'What was downloaded is not the published file: its checksum differs. It was thrown away.',
      action: 'Download it again. If that repeats, do not install this version, and tell its publisher.',
    }),
  ],
  [
    /ERR_UPDATER_INVALID_SIGNATURE|not signed by|code signature/i,
    () => ({
      reason: 'The system does not accept the signature of the newer version.',
      action: 'Download it from the place where you got this one.',
    }),
  ],
  [
    /ENOSPC|EDQUOT/,
    () => ({ reason: 'The disk has no room for the newer version.', action: 'Free some space, then try again.' }),
  ],
  [
    /EACCES|EPERM|EROFS/,
    () => ({
      reason: 'This user may not write where the program is.',
      action: 'Download the newer version from the place where you got this one.',
    }),
  ],
  [
    /ERR_UPDATER_(?:CHANNEL_FILE|LATEST_VERSION|ASSET)_NOT_FOUND|ERR_UPDATER_NO_PUBLISHED_VERSIONS|HTTP_ERROR_404/,
    () => ({ reason: 'The publisher lists no version for this system.', action: AGAIN }),
  ],
  [
    /ERR_UPDATER_INVALID|ERR_UPDATER_NO_CHECKSUM|YAMLException/,
    () => ({ reason: 'The list of versions cannot be read.', action: AGAIN }),
  ],
  [/HTTP_ERROR_/, () => ({ reason: 'The server of the newer versions refuses the request.', action: AGAIN })],
  [
    /net::ERR_|ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|aborted|timed? ?out|socket/i,
    (step) => ({
      reason: step === 'look' ? 'The server of the newer versions does not answer.' : 'The download was cut off.',
      action: 'Check the connection, then try again.',
    }),
  ],
];

/** Explains a failure of the updater. The program stays as it is in every case. */
export function updateFailure(error: unknown, step: FailedStep): UpdateFailure {
  const { code = '', message = '' } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  const text = `${String(code)} ${String(message)}`;
  const failure = known.find(([pattern]) => pattern.test(text))?.[1];
  if (failure) return failure(step);
  return { reason: `The newer version could not be ${notDone[step]}.`, action: AGAIN };
}
