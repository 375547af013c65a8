import { JobFailed } from '../../jobs/errors.ts';
import type { Clock } from '../../shared/clock.ts';
import type { SafeFetch } from '../../shared/net/safe-fetch.ts';
import { writtenAddress } from '../../shared/net/web-address.ts';

const ASK_MS = 30_000;
const ADVERTISEMENT = '/info/refs?service=git-upload-pack';

/**
 * Asks a git server for a repository over HTTP(S), and follows redirects to allowed addresses.
 * @returns the final address of the repository, from which git follows no redirects
 * @throws JobFailed (network, auth, not-found), AddressRefused, or the reason of `signal`
 */
export async function repositoryAddress(
  clock: Clock,
  url: string,
  safeFetch: SafeFetch,
  signal: AbortSignal,
): Promise<string> {
  const base = url.replace(/\/+$/, '');
  let answer: Response;
  try {
    answer = await safeFetch(base + ADVERTISEMENT, {
      headers: { 'User-Agent': 'git/2 (robot-desktop)' }, // some servers answer browsers with a web page
      signal: AbortSignal.any([signal, clock.timeout(ASK_MS)]),
    });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof TypeError || (error as Error).name === 'TimeoutError') throw unreachable(base, error as Error);
    throw error;
  }
  await answer.body?.cancel();
  const { status } = answer;
  if (status === 401 || status === 403) {
    throw new JobFailed({
      reason: 'auth',
      message: `${writtenAddress(base)} requires a log-in, so it is private or does not exist.`,
      action: 'Check the address. An app in a private repository installs from a folder: clone it yourself first.',
    });
  }
  if (status === 404 || status === 410) throw notFound(`There is no repository at ${writtenAddress(base)}.`);
  if (!answer.ok) {
    throw new JobFailed({
      reason: 'network',
      message: `${writtenAddress(base)} answers with status ${status} instead of a repository.`,
      action: 'Try again later.',
    });
  }
  if (!answer.headers.get('content-type')?.startsWith('application/x-git-upload-pack-advertisement')) {
    throw notFound(`${writtenAddress(base)} is a web page, not a git repository.`);
  }
  return answer.url.slice(0, answer.url.indexOf('/info/refs'));
}

function notFound(message: string): JobFailed {
  return new JobFailed({
    reason: 'not-found',
    message,
    action: 'Check the address: use the one for git clone.',
  });
}

function unreachable(base: string, error: Error): JobFailed {
  const cause = (error.cause as Error | undefined)?.message ?? error.message;
  return new JobFailed({
    reason: 'network',
    message: `${writtenAddress(base)} cannot be reached.`,
    action: 'Check the address and the connection to the internet, then install again.',
    evidence: [cause],
  });
}
