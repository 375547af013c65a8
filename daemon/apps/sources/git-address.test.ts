/** A refusal by the network names the address as people write it. */
import { expect, test } from 'vitest';
import type { SafeFetch } from '../../shared/net/safe-fetch.ts';
import { manualClock } from '../../testing/manual-clock.ts';
import { repositoryAddress } from './git-address.ts';

const ADDRESS = 'https://xn--bcher-kva.example/my%20team/dance/';
const WRITTEN = 'https://bücher.example/my team/dance';

const failureOf = (safeFetch: SafeFetch) =>
  repositoryAddress(manualClock(), ADDRESS, safeFetch, new AbortController().signal).then(
    () => expect.fail('it did not fail'),
    (error: unknown) => error,
  );
const answering =
  (status: number): SafeFetch =>
  async () =>
    new Response('a page', { status });

test.each([
  [401, 'auth', `${WRITTEN} requires a log-in, so it is private or does not exist.`],
  [404, 'not-found', `There is no repository at ${WRITTEN}.`],
  [500, 'network', `${WRITTEN} answers with status 500 instead of a repository.`],
  [200, 'not-found', `${WRITTEN} is a web page, not a git repository.`],
])('a server that answers with status %d', async (status, reason, message) => {
  expect(await failureOf(answering(status))).toMatchObject({ failure: { reason, message } });
});

test('a server that cannot be reached, with the cause', async () => {
  const cause = new Error('getaddrinfo ENOTFOUND xn--bcher-kva.example');
  const unreachable: SafeFetch = async () => {
    throw new TypeError('fetch failed', { cause });
  };
  expect(await failureOf(unreachable)).toMatchObject({
    failure: { reason: 'network', message: `${WRITTEN} cannot be reached.`, evidence: [cause.message] },
  });
});
