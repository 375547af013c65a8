/** Names of files that Unix allows and other programs do not expect. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { writeAppPackage } from '../../testing/apps/app-packages.ts';
import { startTestDaemon, type TestDaemon } from '../../testing/daemon/test-daemon.ts';
import { git } from '../../testing/fake-hub/repository/git.ts';
import { type FakeHub, startFakeHub } from '../../testing/fake-hub.ts';

let gitServer: FakeHub;
let daemon: TestDaemon;

beforeAll(async () => {
  gitServer = await startFakeHub();
  daemon = await startTestDaemon();
});
afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  await gitServer?.[Symbol.asyncDispose]();
});

/** Writes an app's package with one more file. @param name its path in Latin-1, so that a character is a byte */
async function withFile(app: string, name: string): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'robot-desktop-names-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  const folder = await writeAppPackage(join(parent, app), { name: app });
  const path = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name, 'latin1')]);
  await mkdir(Buffer.from(dirname(path.toString('latin1')), 'latin1'), { recursive: true });
  await writeFile(path, 'x');
  return folder;
}
const expected = (shown: string, why = 'is not UTF-8') => ({
  state: 'failed',
  failure: {
    reason: 'not-an-app',
    message: `The name of ${shown} ${why}, which packages may not contain.`,
    action: 'Rename or remove it (or ask the author to), then install again.',
    evidence: [],
  },
});

test.each([
  ['of a file', 'latin/caf\xe9.txt', 'latin/caf\\xe9.txt'],
  ['of a folder', 'latin/\xff\xfe\xc3\xa9/a.txt', 'latin/\\xff\\xfeé'],
  ['that would steer a terminal', '\xe9\x1b[31m\n.txt', '\\xe9\\u001b[31m\\n.txt'],
])('a folder with a name %s that is not UTF-8 is refused with that name', async (_, name, shown) => {
  expect(await daemon.install(await withFile('latin', name))).toMatchObject(expected(shown));
  expect(await daemon.traces()).toEqual([]);
});

test('a repository with such a name, too', async () => {
  const folder = await withFile('latin', 'latin/caf\xe9.txt');
  await gitServer.addSpace({ id: 'bob/latin', files: { 'README.md': '# Latin' } });
  gitServer.addToken('hf_of_bob', { name: 'bob', role: 'write' });
  const address = `${gitServer.url}/spaces/bob/latin.git`;
  const who = ['-c', 'user.name=bob', '-c', 'user.email=bob@example.com'];
  await git(folder, ['init', '--quiet']);
  await git(folder, ['add', '--all']);
  await git(folder, [...who, 'commit', '--quiet', '--message', 'x']);
  await git(folder, ['push', '--quiet', '--force', address.replace('//', '//bob:hf_of_bob@'), 'HEAD:refs/heads/main']);
  expect(await daemon.install(address)).toMatchObject(expected('latin/caf\\xe9.txt'));
  expect(await daemon.traces()).toEqual([]);
});

test.each([
  ['a line feed', 'controls/a\nb.txt', 'controls/a\\nb.txt'],
  ['a command to a terminal', 'controls/\x1b[31m\x07.txt', 'controls/\\u001b[31m\\u0007.txt'],
])('a name with %s is refused with that name', async (_, name, shown) => {
  const job = await daemon.install(await withFile('controls', name));
  expect(job).toMatchObject(expected(shown, 'contains control characters'));
});

test('such names among files that are not copied do no harm', async () => {
  const folder = await withFile('kept_apart', '__pycache__/caf\xe9.pyc');
  await writeFile(join(folder, 'Icon\r'), ''); // a Mac folder's own icon
  expect(await daemon.install(folder)).toMatchObject({ state: 'done', failure: null });
});

test('a folder without a package, with such a name in it, is refused as any other', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'robot-desktop-names-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  await writeFile(Buffer.from(`${parent}/caf\xe9.bin`, 'latin1'), 'x');
  expect((await daemon.install(parent)).failure).toMatchObject({ reason: 'not-an-app' });
});
