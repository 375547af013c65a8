/** The effects of a publication on the Git repository of an author. */
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeHub, startFakeHub } from '../../testing/fake-hub.ts';
import { hubClient } from '../../testing/publishing/hub-client.ts';
import { appFiles, ownAppFolder, TOKEN } from '../../testing/publishing/own-app.ts';
import { SpaceChangedElsewhere } from '../errors.ts';

let hub: FakeHub;
const never = new AbortController().signal;
const EDITED = `${appFiles['wave/main.py']}# edited\n`;
beforeEach(async () => {
  hub = await startFakeHub();
  hub.addToken(TOKEN, { name: 'ada', role: 'write' });
});
afterEach(() => hub[Symbol.asyncDispose]());

async function pathsOf(id: string): Promise<string[]> {
  const client = hubClient(hub.url, TOKEN);
  const { commit } = await client.resolve(id, null, never);
  return (await client.files({ type: 'space', id }, commit, never)).map(({ path }) => path);
}

test('commits of the author stay theirs: the Space gets the files as they are, without the history', async () => {
  await using app = await ownAppFolder(hub);
  await app.git('init', '-q', '-b', 'work');
  await app.write({ 'notes.txt': 'a secret of the past' });
  await app.git('add', '.');
  await app.git('commit', '-qm', 'One');
  await app.write({ 'notes.txt': null });
  await app.git('commit', '-qam', 'Two');
  await app.write({ 'wave/main.py': EDITED, 'staged.txt': 'staged' });
  await app.git('add', 'staged.txt');
  const before = await app.git('rev-parse', 'HEAD', 'work');

  await app.publish();
  expect(await app.git('rev-parse', 'HEAD', 'work')).toBe(before);
  expect(await app.git('status', '--porcelain')).toBe('A  staged.txt\n M wave/main.py');
  expect(await hub.history('ada/wave')).toEqual(['Publish 0.1.0', 'initial commit']);
  expect(await pathsOf('ada/wave')).toEqual(['.gitattributes', ...Object.keys(appFiles), 'staged.txt'].sort());
  expect(await app.git('log', '--format=%s', 'space/main')).toBe('Publish 0.1.0\ninitial commit');
  expect(await app.git('show', 'space/main:wave/main.py')).toBe(EDITED.trim());
});

test('a branch that follows the Space goes on with it, unless something is staged', async () => {
  await using app = await ownAppFolder(hub);
  await app.publish();
  await app.write({ 'wave/main.py': EDITED, 'half.txt': 'staged' });
  await app.git('add', 'half.txt');
  await app.write({ 'half.txt': 'and edited since' });
  await app.publish();
  expect(await app.git('log', '-1', '--format=%s')).toBe('Publish 0.1.0');
  expect(await app.git('show', ':half.txt')).toBe('staged');
  await app.git('add', '-A');
  await app.git('commit', '-qm', 'Mine');
  await app.write({ 'wave/main.py': `${EDITED}# again\n` });
  await app.publish();
  expect(await app.git('log', '-1', '--format=%s')).toBe('Mine');
  expect(await hub.history('ada/wave')).toEqual(['Publish 0.1.2', 'Publish 0.1.1', 'Publish 0.1.0', 'initial commit']);
});

test('a clone of the Space is published to it, and changes made elsewhere are not overwritten unasked', async () => {
  await using first = await ownAppFolder(hub);
  await first.publish();
  const sha = await hub.commit('ada/wave', { 'wave/main.py': '# on the website\n', 'website.txt': 'new' });
  await first.write({ 'wave/extra.py': '' });
  expect(await first.preview()).toMatchObject({
    changedElsewhere: true,
    nextVersion: '0.1.1',
    changes: [
      { path: 'pyproject.toml', change: 'changed' },
      { path: 'wave/extra.py', change: 'added' },
      { path: 'wave/main.py', change: 'changed' },
      { path: 'website.txt', change: 'removed' },
    ],
  });
  await expect(first.publish()).rejects.toThrow(SpaceChangedElsewhere);
  expect(await readFile(join(first.folder, 'pyproject.toml'), 'utf8')).toBe(appFiles['pyproject.toml']);

  const clone = join(first.folder, '..', 'clone');
  await first.git('clone', '-q', `${hub.url.replace('//', `//ada:${TOKEN}@`)}/spaces/ada/wave`, clone);
  await using second = await ownAppFolder(hub, { files: {}, folder: clone });
  await second.write({ 'wave/main.py': EDITED });
  expect(await second.publish()).toMatchObject({ version: '0.1.1', hasRemote: true });
  expect(await second.git('log', '-2', '--format=%s')).toBe('Publish 0.1.1\nUpdate');
  expect(await second.git('rev-parse', 'HEAD~')).toBe(sha.sha);

  expect(await first.publish({ overwrite: true })).toMatchObject({ version: '0.1.2' });
  expect(await pathsOf('ada/wave')).toEqual(['.gitattributes', ...Object.keys(appFiles), 'wave/extra.py'].sort());
});

test('files that others changed, and that are the same here, are no conflict', async () => {
  await using app = await ownAppFolder(hub);
  await app.publish();
  await hub.commit('ada/wave', { 'wave/main.py': EDITED });
  await app.write({ 'wave/main.py': EDITED, 'wave/new.py': '' });
  expect(await app.preview()).toMatchObject({ changedElsewhere: false });
  expect(await app.publish()).toMatchObject({ version: '0.1.1' });
});

test('hooks, signatures and other programs of the repository are not run, and the token is nowhere in it', async () => {
  await using app = await ownAppFolder(hub);
  await app.git('init', '-q', '-b', 'main');
  const trace = join(app.folder, '..', 'trace');
  const script = `#!/bin/sh\necho "$0" >> '${trace}'\nexit 1\n`;
  const hooks = join(app.folder, '.git', 'hooks');
  await mkdir(hooks, { recursive: true });
  for (const hook of ['pre-push', 'pre-commit', 'commit-msg', 'reference-transaction', 'post-index-change']) {
    await writeFile(join(hooks, hook), script, { mode: 0o755 });
  }
  const program = join(app.folder, '..', 'program');
  await writeFile(program, script, { mode: 0o755 });
  await app.git('config', 'core.fsmonitor', program);
  await app.git('config', 'commit.gpgSign', 'true');
  await app.git('config', 'push.gpgSign', 'true');
  await app.git('config', 'gpg.program', program);
  await app.git('config', 'credential.helper', program);
  await app.git('config', 'filter.mine.clean', program);
  await app.write({ '.gitattributes': '*.py filter=mine\n' });

  await app.publish();
  await app.write({ 'wave/main.py': EDITED });
  await app.publish();
  expect(await hub.history('ada/wave')).toEqual(['Publish 0.1.1', 'Publish 0.1.0', 'initial commit']);
  await expect(stat(trace)).rejects.toThrow('ENOENT');
  const secrets = [TOKEN, Buffer.from(`ada:${TOKEN}`).toString('base64')];
  for (const entry of await readdir(join(app.folder, '.git'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const text = await readFile(join(entry.parentPath, entry.name), 'latin1');
    for (const secret of secrets) expect(text.includes(secret), join(entry.parentPath, entry.name)).toBe(false);
  }
  expect(app.log.join('\n')).not.toContain(TOKEN);
});

test('a folder in a larger repository is sent without git, and only it', async () => {
  await using outer = await ownAppFolder(hub, {
    files: { 'other.txt': '', '.gitignore': 'ignored-above.txt\n' },
    name: 'outer',
  });
  await outer.git('init', '-q', '-b', 'main');
  await using app = await ownAppFolder(hub, { folder: join(outer.folder, 'apps', 'wave') });
  await app.write({ 'ignored-above.txt': '' });
  expect(await app.publish()).toMatchObject({ id: 'ada/wave', hasRemote: false });
  expect(await pathsOf('ada/wave')).toEqual(['.gitattributes', ...Object.keys(appFiles)].sort());
  expect(await outer.git('for-each-ref')).toBe('');
  expect(await outer.git('remote')).toBe('');
});

test('the remote `space` decides which Space it is; one of another server stays as it is', async () => {
  await using app = await ownAppFolder(hub);
  await app.git('init', '-q', '-b', 'main');
  await app.git('remote', 'add', 'space', `${hub.url}/spaces/ada/another-name`);
  expect(await app.publish()).toMatchObject({ id: 'ada/another-name', hasRemote: true });
  await app.git('remote', 'set-url', 'space', 'https://git.example/ada/wave');
  expect(await app.publish()).toMatchObject({ id: 'ada/wave', hasRemote: false });
  expect(await app.git('remote', 'get-url', 'space')).toBe('https://git.example/ada/wave');
  expect(await app.git('rev-parse', 'space/main')).not.toBe(await app.git('rev-parse', 'refs/robot-desktop/main'));
});

test('names with spaces, umlauts, quotes, dashes and executable files arrive as they are', async () => {
  await using app = await ownAppFolder(hub, { name: 'Meine Äpp (1)' });
  const names = ['ä b/ü.txt', '-dash', 'it\'s "quoted".txt', 'a,b.txt', 'crlf.txt', '[x].txt', ':(top).txt', '#x'];
  await app.write(Object.fromEntries(names.map((name) => [name, `${name}\r\n`])));
  await app.write({ 'run.sh': '#!/bin/sh\n' });
  await chmod(join(app.folder, 'run.sh'), 0o755);
  await app.publish();
  expect(await pathsOf('ada/wave')).toEqual(['.gitattributes', ...Object.keys(appFiles), ...names, 'run.sh'].sort());
  expect(await app.git('ls-files', '-s', 'run.sh')).toMatch(/^100755 /);
  expect(await app.git('status', '--porcelain')).toBe('');
  const client = hubClient(hub.url, TOKEN);
  const { commit } = await client.resolve('ada/wave', null, never);
  expect(await client.readFile({ type: 'space', id: 'ada/wave' }, commit, 'crlf.txt', 100, never)).toBe('crlf.txt\r\n');
  expect((await app.preview()).changes).toEqual([]);
});

test('a file becomes a folder, and a folder a file', async () => {
  await using app = await ownAppFolder(hub);
  await app.write({ thing: 'file', 'other/inside.txt': 'x' });
  await app.publish();
  await app.write({ thing: null, other: null });
  await app.write({ 'thing/inside.txt': 'x', other: 'file' });
  await app.publish();
  expect(await pathsOf('ada/wave')).toEqual(
    ['.gitattributes', ...Object.keys(appFiles), 'other', 'thing/inside.txt'].sort(),
  );
});

test('what a publication left that was killed just as its repository was complete is removed by the next one', async () => {
  await using app = await ownAppFolder(hub);
  await app.git('init', '-q', '-b', 'main');
  await mkdir(join(app.folder, '.git.unfinished'));
  await app.publish();
  expect(await readdir(app.folder)).not.toContain('.git.unfinished');
});

test('a repository that git refuses is published without it', async () => {
  await using app = await ownAppFolder(hub);
  await app.write({ '.git': 'gitdir: /nowhere\n' });
  expect(await app.publish()).toMatchObject({ hasRemote: false });
  expect(app.log).toContain('Git is not installed, or refuses this folder: the files are sent to the hub without it.');
  expect(await pathsOf('ada/wave')).toEqual(['.gitattributes', ...Object.keys(appFiles)].sort());
});

test('what is added with force although it is ignored is published; a deleted file is not', async () => {
  await using app = await ownAppFolder(hub);
  await app.git('init', '-q', '-b', 'main');
  await app.write({ 'kept.log': 'kept', 'gone.txt': '' });
  await app.git('add', '-f', '.');
  await app.write({ 'gone.txt': null });
  await app.publish();
  expect(await pathsOf('ada/wave')).toEqual(['.gitattributes', ...Object.keys(appFiles), 'kept.log'].sort());
});
