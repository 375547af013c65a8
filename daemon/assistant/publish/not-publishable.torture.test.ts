/** Files that a publication refuses or leaves out, with real git and without it. */
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeHub, startFakeHub } from '../../testing/fake-hub.ts';
import { appFiles, type OwnAppFolder, ownAppFolder, TOKEN } from '../../testing/publishing/own-app.ts';
import { NotPublishable } from '../errors.ts';

let hub: FakeHub;
const KEY = ['hf', 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3h'].join('_');
beforeEach(async () => {
  hub = await startFakeHub();
  hub.addToken(TOKEN, { name: 'ada', role: 'write' });
});
afterEach(() => hub[Symbol.asyncDispose]());

/** The places and ids of what prevents the publication; nothing may be on the hub. */
async function problemsOf(app: OwnAppFolder): Promise<(string | number | null)[][]> {
  const error = await app.publish().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(NotPublishable);
  expect(hub.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  return (error as NotPublishable).findings.map(({ id, file, line }) => [id, file, line]);
}

test.each([
  ['with git', true],
  ['without git', false],
])('secrets, links and other repositories are refused with their place, %s', async (_, hasGit) => {
  await using app = await ownAppFolder(hub, { hasGit });
  if (hasGit) await app.git('init', '-q');
  await app.write({
    'wave/config.py': `# settings\n\nTOKEN = "${KEY}"\n`,
    'wave/own.txt': `token: ${TOKEN}`,
    'inner/.git/HEAD': 'ref: refs/heads/main\n',
    'inner/.git/objects/x': '',
    'inner/.git/refs/x': '',
    'inner/file.txt': '',
  });
  await symlink('main.py', join(app.folder, 'wave', 'link.py'));
  expect(new Set((await problemsOf(app)).map((problem) => problem.join(' ')))).toEqual(
    new Set(['other-repository inner ', 'secret wave/config.py 3', 'link wave/link.py ', 'secret wave/own.txt 1']),
  );
});

test.each([
  ['with git', true],
  ['without git', false],
])('settings with secrets, environments and caches are left out, and it is said, %s', async (_, hasGit) => {
  await using app = await ownAppFolder(hub, { hasGit });
  if (hasGit) await app.git('init', '-q');
  await app.write({
    '.env': `TOKEN=${KEY}`,
    '.env.example': 'TOKEN=',
    'my-env/pyvenv.cfg': 'home = /usr/bin\n',
    'my-env/lib/x.py': '',
    '.venv/pyvenv.cfg': '',
    'wave/.gitignore': '*\n!.gitignore\n!*.py\n!kept.txt\n',
    'wave/kept.txt': '',
    'wave/dropped.txt': '',
    'wave/__pycache__/main.cpython-311.pyc': '',
    'notes/.gitignore': 'private/\n!/shown.log\n',
    'notes/private/diary.txt': '',
    'notes/shown.log': '',
    'wave.egg-info/PKG-INFO': '',
    '.DS_Store': '',
  });
  const paths = (await app.preview()).changes.map(({ path }) => path);
  expect(paths).toEqual(
    [
      ...Object.keys(appFiles),
      '.env.example',
      'notes/.gitignore',
      'notes/shown.log',
      'wave/.gitignore',
      'wave/kept.txt',
    ].sort(),
  );
  await app.publish();
  expect(app.log).toEqual(
    expect.arrayContaining([
      '.env is left out: such files hold secrets.',
      'my-env is left out: a virtual environment.',
    ]),
  );
});
