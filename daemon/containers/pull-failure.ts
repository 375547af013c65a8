import { ImagePullFailed, type PullProblem } from './errors.ts';

interface Reading {
  readonly kind: PullProblem;
  readonly pattern: RegExp;
}

/**
 * The texts of Docker and Podman, and of the libraries below them, the surest first. Docker has the same words for
 * a repository that does not exist and for one that needs an account.
 */
const readings: readonly Reading[] = [
  { kind: 'disk-full', pattern: /no space left on device|disk quota exceeded/i },
  { kind: 'limited', pattern: /toomanyrequests|too many requests|rate limit/i },
  {
    kind: 'name',
    pattern: /invalid reference format|must be lowercase|invalid repository name|short-name .* did not resolve/i,
  },
  {
    kind: 'unauthorized',
    pattern:
      /unauthorized|authentication required|access .*denied|denied:|incorrect username or password|no basic auth|forbidden/i,
  },
  {
    kind: 'missing',
    pattern:
      /manifest .*unknown|name unknown|not found|no such image|does not exist|no matching manifest|no image found in/i,
  },
  {
    kind: 'unreachable',
    pattern:
      /no such host|connection (refused|reset)|timeout|timed out|unreachable|dial tcp|tls:|x509|certificate|gave http response|unexpected eof|: eof|temporary failure|bad gateway|service unavailable|internal server error|received unexpected http status|server misbehaving/i,
  },
];

const TRANSPORT_FIRST = /dial tcp|no such host|x509|tls:/i;
const MAX_TEXT = 300;

/**
 * Turns an engine's text about a failed pull into a failure for a person.
 * @param password of the account, which no text repeats
 */
export function pullFailure(
  image: string,
  text: string,
  account: { readonly password: string } | null,
): ImagePullFailed {
  const kind = TRANSPORT_FIRST.test(text) ? 'unreachable' : readings.find(({ pattern }) => pattern.test(text))?.kind;
  if (isLocal(image) && (kind === 'unreachable' || kind === 'missing')) {
    return new ImagePullFailed('missing', `The image ${image} is not on this machine.`, BUILD_IT);
  }
  const own = account?.password ? text.replaceAll(account.password, '***') : text;
  return failureOf(kind ?? 'other', image, asSentence(own), account !== null);
}

/** Podman gives this registry to the images that it builds; nothing can be downloaded from it, unless it has a port. */
const isLocal = (image: string) => registryOf(image) === 'localhost';
const BUILD_IT = 'Build it with the container engine, or name another image.';

/** An engine's text with one full stop at its end: an action follows it. */
const asSentence = (text: string): string =>
  text
    .trim()
    .slice(0, MAX_TEXT)
    .replace(/[.\s]*$/, '.');

/** The failure of a pull from which nothing came for a while. */
export function stalledPull(image: string, stallMs: number): ImagePullFailed {
  const minutes = Math.round(stallMs / 60_000);
  return new ImagePullFailed(
    'stalled',
    `The download of the image ${image} stood still for ${minutes} minutes.`,
    'Check the network, then start the endpoint again.',
  );
}

function failureOf(kind: PullProblem, image: string, text: string, hasAccount: boolean): ImagePullFailed {
  const registry = registryOf(image);
  const failed = (message: string, action: string) => new ImagePullFailed(kind, message, action);
  switch (kind) {
    case 'disk-full':
      return failed(`The disk has no room for the image ${image}.`, 'Free space on the disk of the container engine.');
    case 'limited':
      return failed(
        `${registry} allows no more downloads for now.`,
        'Wait an hour, or use an account of the registry.',
      );
    case 'name':
      return failed(`${image} is not the name of an image.`, 'Correct the name of the image.');
    case 'unauthorized':
      return hasAccount
        ? failed(`${registry} does not accept the account for ${image}.`, 'Correct the user name and the password.')
        : failed(
            `${registry} gives no access to ${image}: it does not exist, or it needs an account.`,
            'Check the name of the image, or set an account.',
          );
    case 'missing':
      return failed(`${registry} has no image ${image} for this machine.`, 'Check its name and its tag.');
    case 'unreachable':
      return failed(`${registry} cannot be reached: ${text}`, 'Check the network, then start the endpoint again.');
    default:
      return failed(`The image ${image} could not be downloaded: ${text}`, 'Start the endpoint again.');
  }
}

/** The host of an image's registry: the first part of its name if that looks like one. */
export function registryOf(image: string): string {
  const [first = ''] = image.split('/');
  const isHost = image.includes('/') && (/[.:]/.test(first) || first === 'localhost');
  return isHost ? first : 'docker.io';
}
