/** Real git on a server that lies, stops answering or never ends: it is ended within bounds. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandFailed, runCommand } from '../../shared/processes/run-command.ts';
import { type HostileGitServer, type Misdeed, startHostileGitServer } from '../../testing/apps/hostile-git-server.ts';
import { git, gitEnvironment } from '../../testing/fake-hub/repository/git.ts';
import type { RunStep } from '../python/python-env.ts';
import { gitLimits } from './git.ts';
import { gitFailure } from './git-failure.ts';
import { checkOut, latestCommit } from './git-repository.ts';

const MB = 1024 ** 2;
const limits = { ...gitLimits, memoryBytes: 64 * MB, bytes: 20 * MB };
const impatient = { ...limits, silentMs: 3_000, stalledS: 1 };

let folder: string;
let server: HostileGitServer;
let head: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'robot-desktop-hostile-git-'));
  const repository = join(folder, 'app.git');
  await mkdir(repository);
  const inGit = (args: string[], input = '') =>
    git(repository, ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], input);
  await inGit(['init', '--quiet', '--bare', '--initial-branch=main']);
  const blob = String(await inGit(['hash-object', '-w', '--stdin'], 'hello')).trim();
  const tree = String(await inGit(['mktree'], `100644 blob ${blob}\thello.txt\n`)).trim();
  head = String(await inGit(['commit-tree', tree, '-m', 'x'])).trim();
  await inGit(['update-ref', 'refs/heads/main', head]);
  server = await startHostileGitServer(folder);
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const run: RunStep = (file, args, more) =>
  runCommand(file, args, { env: gitEnvironment, deadlineMs: 100_000, ...more });

let checkouts = 0;
const fetchApp = (misdeed: Misdeed, more: Partial<Parameters<typeof checkOut>[0]> = {}) =>
  checkOut({
    ...{
      url: server.address(misdeed, 'app.git'),
      revision: null,
      dir: join(folder, `checkout-${++checkouts}`),
      run,
      limits,
    },
    ...{ onBytes: () => {}, onLine: () => {}, ...more },
  });
const failure = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => expect.fail('it succeeded'),
    (thrown: unknown) => thrown as CommandFailed,
  );
  return { exceeded: error.exceeded, timedOut: error.timedOut, failure: gitFailure(error, null) };
};

test.concurrent('an honest repository is checked out, in little memory', async () => {
  expect(await fetchApp('none', { limits: { ...limits, memoryBytes: 32 * MB } })).toBe(head);
  expect(await latestCommit({ url: server.address('none', 'app.git'), revision: 'main', run, limits })).toBe(head);
});

test.concurrent('branches without end are bounded in memory, for a checkout and for an update check', async () => {
  const url = server.address('endless-refs', 'app.git');
  const work = [fetchApp('endless-refs'), latestCommit({ url, revision: 'main', run, limits })];
  for (const found of await Promise.all(work.map(failure))) {
    expect(found).toMatchObject({ exceeded: 'memory', failure: { failure: { reason: 'not-an-app' } } });
  }
});

describe.concurrent('a server that goes silent', () => {
  test.each<Misdeed>(['no-answer', 'half-refs', 'no-pack', 'half-pack'])('%s', async (misdeed) => {
    const found = await failure(fetchApp(misdeed, { limits: impatient }));
    // Ended by the limit of silence or by git's own, long before the deadline of the command.
    expect(found).toMatchObject({ timedOut: false, failure: { failure: { reason: 'network' } } });
    expect(['silence', null]).toContain(found.exceeded);
  });

  test('or sends branches so slowly that no connection stands still', async () => {
    expect(await failure(fetchApp('slow-refs', { limits: { ...limits, silentMs: impatient.silentMs } }))).toMatchObject(
      {
        exceeded: 'silence',
        failure: { failure: { reason: 'network', message: expect.stringContaining('no progress for 60 s') } },
      },
    );
  });
});

test.concurrent('a pack without end is bounded', async () => {
  let bytes = 0;
  const found = await failure(fetchApp('endless-pack', { onBytes: (received) => (bytes = received) }));
  expect(found).toMatchObject({ exceeded: 'amount', failure: { failure: { reason: 'not-an-app' } } });
  expect(bytes).toBeGreaterThan(limits.bytes);
});

test.concurrent('a small pack with endless or huge files is never written out', async () => {
  const repository = join(folder, 'bomb.git');
  await mkdir(repository);
  const inGit = async (args: string[], input: string | Buffer = '') =>
    String(await git(repository, ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], input)).trim();
  await inGit(['init', '--quiet', '--bare', '--initial-branch=main']);
  const commit = async (branch: string, tree: string) =>
    inGit(['update-ref', `refs/heads/${branch}`, await inGit(['commit-tree', tree, '-m', 'x'])]);
  const large = await inGit(['hash-object', '-w', '--stdin'], Buffer.alloc(21 * MB));
  await commit('large', await inGit(['mktree'], `100644 blob ${large}\tlarge.bin\n`));
  // Ten folders of ten folders …, 10^9 files in ten trees.
  let tree = await inGit(['mktree'], `100644 blob ${await inGit(['hash-object', '-w', '--stdin'], 'x')}\tx\n`);
  for (let depth = 0; depth < 9; depth += 1) {
    const folders = Array.from({ length: 10 }, (_, index) => `040000 tree ${tree}\td${index}\n`);
    tree = await inGit(['mktree'], folders.join(''));
  }
  await commit('many', tree);
  for (const revision of ['large', 'many']) {
    const found = await failure(
      fetchApp('none', { url: server.address('none', 'bomb.git'), revision, limits: { ...limits, files: 5_000 } }),
    );
    expect(found, revision).toMatchObject({ exceeded: 'amount' });
  }
});
