import { expect, test } from 'vitest';
import { AccessTokens } from '../../access/access-tokens.ts';
import type { OwnEndpoint } from '../../contract/endpoints/endpoint.ts';
import { systemNow } from '../../shared/clock.ts';
import { createLogger } from '../../shared/logger.ts';
import {
  listingOf,
  newDataFolder,
  recordInstance,
  scriptedClient,
  serveScripted,
} from '../../testing/terminal/scripted-daemon.ts';
import { Interrupted, NoDaemon } from '../shared/errors.ts';
import { endpointOf, withEndpoints } from './endpoint-context.ts';

/** A daemon that has the endpoint poet in two namespaces, and writer in one. */
function daemon() {
  const ids = [
    ['lab', 'poet'],
    ['home', 'poet'],
    ['lab', 'writer'],
  ] as const;
  const all = ids.map(([namespace, name]) => ({ namespace, endpoint: { name } }) as OwnEndpoint);
  const { client, calls } = scriptedClient({ listOwnEndpoints: listingOf(all) });
  const find = (name: string) => endpointOf({ client, signal: new AbortController().signal }, name);
  return { find, calls };
}

test.each(['lab', 'home'])('of two endpoints with one name, each is found by its namespace %s', async (namespace) => {
  const { find, calls } = daemon();
  expect(await find(`${namespace}/poet`)).toEqual({ namespace, endpoint: { name: 'poet' } });
  expect(calls).toEqual([['listOwnEndpoints', { query: { namespace, name: 'poet' } }]]);
});

test('a name that only one endpoint has needs no namespace', async () => {
  const { find } = daemon();
  expect(await find('writer')).toEqual({ namespace: 'lab', endpoint: { name: 'writer' } });
});

test('a name that two endpoints have is refused, with the names to choose from', async () => {
  const { find } = daemon();
  await expect(find('poet')).rejects.toThrow(
    '"poet" is the name of several endpoints. Name one of them with its namespace: home/poet, lab/poet.',
  );
});

test.each([
  'office/poet', // nobody's namespace
  'singer',
  'a'.repeat(32),
])('the refusal of an endpoint %s that does not exist has its name, and the command that lists them', async (given) => {
  const { find, calls } = daemon();
  await expect(find(given)).rejects.toThrow(`There is no endpoint "${given}". "robot-daemon endpoint ls" lists them.`);
  expect(calls).toHaveLength(1);
});

test.each(['', 'lab/', '/poet', 'lab/home/poet', 'Lab/poet', 'Poet', 'poet 1', 'poet_1', 'a'.repeat(33)])(
  'the name "%s", which no endpoint can have, is refused without a question to the daemon',
  async (given) => {
    const { find, calls } = daemon();
    await expect(find(given)).rejects.toThrow(`There is no endpoint "${given}".`);
    expect(calls).toEqual([]);
  },
);

test('without a daemon the command is refused with advice, and no token is created', async () => {
  const paths = await newDataFolder();
  let isDone = false;
  const work = withEndpoints(paths, async () => {
    isDone = true;
  });
  await expect(work).rejects.toEqual(new NoDaemon(paths.root, 'Start it: endpoints run in it.'));
  expect({ isDone, tokens: await tokensIn(paths.tokensFile) }).toEqual({ isDone: false, tokens: [] });
});

test.each([
  ['done', null],
  ['failed', new Error('no')],
])('work on the daemon has a token of its own, which is revoked once it is %s', async (_, failure) => {
  const paths = await newDataFolder();
  const { url, seen } = await serveScripted({ listJobs: [] });
  await recordInstance(paths, { url });
  let lent = '';
  let during: unknown;
  const work = withEndpoints(paths, async ({ client, token, signal }) => {
    lent = token;
    await client.call('listJobs');
    during = { tokens: await tokensIn(paths.tokensFile), isInterrupted: signal.aborted };
    if (failure) throw failure;
  });
  await (failure ? expect(work).rejects.toBe(failure) : work);
  const ofTerminal = { name: expect.stringMatching(/^endpoint-/), scopes: ['deploy', 'daemon'], namespaces: null };
  expect(during).toMatchObject({ tokens: [{ ...ofTerminal, ofTerminal: true }], isInterrupted: false });
  expect(seen).toEqual([{ call: 'GET /api/jobs', authorization: `Bearer ${lent}`, body: null }]);
  expect(await tokensIn(paths.tokensFile)).toEqual([]);
});

test('a failure after a signal is an interrupt, and the token is revoked', async () => {
  const paths = await newDataFolder();
  const { url } = await serveScripted({});
  await recordInstance(paths, { url });
  const work = withEndpoints(paths, async () => {
    process.emit('SIGHUP', 'SIGHUP');
    throw new Error('The connection was closed.');
  });
  await expect(work).rejects.toEqual(new Interrupted());
  expect(await tokensIn(paths.tokensFile)).toEqual([]);
});

const tokensIn = (file: string) => new AccessTokens(file, { log: createLogger('error'), now: systemNow }).list();
