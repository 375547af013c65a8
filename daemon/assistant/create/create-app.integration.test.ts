/** Creates apps in many kinds of folders: each is complete, or nothing is left. */
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readPackageOutline } from '../../app-package/package-files.ts';
import { projectDir } from '../../testing/daemon/test-daemon.ts';
import { AppFolderExists, AppNameUnusable, DestinationMissing } from '../errors.ts';
import { createApp } from './create-app.ts';

const templatesDir = join(projectDir, 'assets', 'app-templates');
const layout = [
  '.gitignore',
  'README.md',
  'icon.svg',
  'index.html',
  'my_first_app/__init__.py',
  'my_first_app/main.py',
  'my_first_app/static/index.html',
  'my_first_app/static/main.js',
  'my_first_app/static/style.css',
  'pyproject.toml',
  'style.css',
  'tests/test_my_first_app.py',
];
let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'robot-desktop-create-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const create = (destination: string, name = 'My first app') =>
  createApp({ name, destination, template: 'default' }, { templatesDir });

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  return files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1)).sort();
}

test('an app has the layout, names and port of its own, and nothing of the template', async () => {
  const folder = join(root, 'my_first_app');
  expect(await create(root)).toEqual({ folder, name: 'my_first_app', className: 'MyFirstApp', files: layout });
  expect(await filesIn(root)).toEqual(layout.map((path) => join('my_first_app', path)));
  const texts = await Promise.all(layout.map((path) => readFile(join(folder, path), 'utf8')));
  expect(texts.join('\n')).not.toMatch(/app.?template|8042/i);
  expect(texts.join('\n')).toMatch(/custom_app_url = "http:\/\/localhost:8[1-8]\d\d"/);
  expect((await lstat(folder)).mode & 0o777).toBe(0o777 & ~process.umask());
  const outline = await readPackageOutline(folder);
  expect(outline.pyproject).toContain('my_first_app = "my_first_app.main:MyFirstApp"');
});

test.each(['with spaces', 'Ümläute 你好', "it's & <b>", '-r', '$HOME'])('in the folder %s', async (name) => {
  const destination = join(root, name);
  await mkdir(destination);
  expect(await create(destination)).toMatchObject({ folder: join(destination, 'my_first_app'), files: layout });
});

test('through a link to a folder, whose path it keeps', async () => {
  await mkdir(join(root, 'real'));
  await symlink(join(root, 'real'), join(root, 'link'));
  expect(await create(join(root, 'link'))).toMatchObject({ folder: join(root, 'link', 'my_first_app') });
  expect(await readdir(join(root, 'real'))).toEqual(['my_first_app']);
});

test('a class of the same name as one that the template uses gets another name', async () => {
  expect(await create(root, 'Robot app')).toMatchObject({ name: 'robot_app', className: 'RobotAppApp' });
  expect(await create(root, 'Event')).toMatchObject({ name: 'event', className: 'EventApp' });
});

describe('what exists stays as it is', () => {
  const app = () => join(root, 'my_first_app');
  test.each<[string, () => Promise<unknown>]>([
    ['a folder with files', () => mkdir(app()).then(() => writeFile(join(app(), 'mine.txt'), 'mine'))],
    ['an empty folder', () => mkdir(app())],
    ['a file', () => writeFile(app(), 'mine')],
    ['a link that leads nowhere', () => symlink(join(root, 'nowhere'), app())],
    ['a link to an empty folder', () => mkdir(join(root, 'other')).then(() => symlink(join(root, 'other'), app()))],
  ])('%s', async (_what, prepare) => {
    await prepare();
    const before = await filesIn(root);
    await expect(create(root)).rejects.toThrow(new AppFolderExists(app()));
    expect(await filesIn(root)).toEqual(before);
  });
});

test('of several that create the same app at once, one succeeds and is complete', async () => {
  const all = await Promise.allSettled(Array.from({ length: 8 }, () => create(root)));
  const refused = all.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  expect(refused.map((error) => error.constructor)).toEqual(Array(7).fill(AppFolderExists));
  expect(await filesIn(root)).toEqual(layout.map((path) => join('my_first_app', path)));
});

describe('a destination that cannot be used is named', () => {
  test.each([
    ['nowhere', 'does not exist, or may not be read. Choose an existing folder.'],
    ['file', 'is not a folder. Choose an existing folder.'],
    ['file/in', 'does not exist, or may not be read. Choose an existing folder.'],
    ['dangling', 'does not exist, or may not be read. Choose an existing folder.'],
    [`${'x'.repeat(300)}`, 'does not exist, or may not be read. Choose an existing folder.'],
  ])('%s', async (name, sentence) => {
    await writeFile(join(root, 'file'), '');
    await symlink(join(root, 'nowhere'), join(root, 'dangling'));
    const destination = join(root, name);
    await expect(create(destination)).rejects.toThrow(new DestinationMissing(`${destination} ${sentence}`));
    expect((await readdir(root)).sort()).toEqual(['dangling', 'file']);
  });

  test('a path that is not full', async () => {
    const refusal = new DestinationMissing('apps is not the full path of a folder.');
    await expect(create('apps')).rejects.toThrow(refusal);
  });

  test("the name of any module of this machine's Python, before anything else", async () => {
    const script =
      'import sys; print(*sorted(name for name in sys.stdlib_module_names if name.islower() and name[0] != "_"))';
    const python = process.platform === 'win32' ? 'python' : 'python3';
    const { stdout } = await execa(python, ['-I', '-c', script]);
    for (const name of stdout.split(' '))
      await expect(create(join(root, 'nowhere'), name), name).rejects.toThrow(AppNameUnusable);
  });

  test('an unusable name, before anything else', async () => {
    await expect(create(join(root, 'nowhere'), 'class')).rejects.toThrow(AppNameUnusable);
  });
});
