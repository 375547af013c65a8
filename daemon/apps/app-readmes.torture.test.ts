/** READMEs and their images over HTTP: the real daemon, real installs, a fake hub. */
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NO_HUB, newDataDir, startTestDaemon } from '../testing/daemon/test-daemon.ts';
import { type FakeHub, startFakeHub } from '../testing/fake-hub.ts';
import { MAX_IMAGE_BYTES } from './app-readmes.ts';

const png = Buffer.from('89504e470d0a1a0a0000', 'hex');
const shown = { type: 'image/png', base64: png.toString('base64') };
const frontMatter = '---\ntitle: Nod\ntags: [robot_python_app]\n---\n';
const files = {
  'README.md': `${frontMatter}# Nod\n\n![me](pics/me.png)\n`,
  'pyproject.toml': `[build-system]
requires = ["robot-sdk"]
build-backend = "robot.build"
[project]
name = "nod"
version = "1.0.0"
dependencies = ["robot-sdk"]
[project.entry-points.robot_apps]
nod = "nod.main:Nod"
[tool.robot]
baseline = false
`,
  'nod/__init__.py': '',
  'nod/main.py':
    'from robot import RobotApp\nclass Nod(RobotApp):\n    def run(self, robot, stop_event):\n        stop_event.wait()\nif __name__ == "__main__":\n    Nod().wrapped_run()\n',
  'pics/me.png': png,
  'pics/large.png': { lfs: Buffer.concat([png, Buffer.alloc(MAX_IMAGE_BYTES)]) },
  'pics/script.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  'pics/fake.png': '<!doctype html><script>alert(1)</script>',
};

let hub: FakeHub;
let dataDir: string;
beforeEach(async () => {
  hub = await startFakeHub();
  dataDir = await newDataDir();
});
afterEach(async () => {
  await hub[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

test('an app of the store: images of its repository, at its commit, and nothing else', async () => {
  const { sha } = await hub.addSpace({ id: 'ada/nod', files });
  await using daemon = await startTestDaemon({ dataDir, hubUrl: hub.url });
  const image = (path: string, commit = sha) =>
    daemon.get(`/api/apps/store/ada/nod/image?path=${encodeURIComponent(path)}&commit=${commit}`);
  expect(await image('pics/me.png')).toMatchObject({ status: 200, body: shown });
  for (const path of ['pics/script.svg', 'pics/fake.png']) {
    const error = 'This is no PNG, JPEG, GIF, WebP or AVIF image.';
    expect(await image(path)).toMatchObject({ status: 422, body: { error } });
  }
  expect(await image('pics/large.png')).toMatchObject({
    status: 422,
    body: { error: 'The image is larger than 4 MB.' },
  });
  expect((await image('pics/none.png')).status).toBe(404);
  for (const path of ['../x.png', '/etc/passwd', 'a//b', 'a/../b', '.git/config', 'a\\b', '']) {
    expect({ path, status: (await image(path)).status }).toEqual({ path, status: 400 });
  }
  expect((await image('pics/me.png', 'main')).status).toBe(400);
});

test('an installed app keeps the README of its version, and shows the images of its commit', async () => {
  await hub.addSpace({ id: 'ada/nod', files });
  await using daemon = await startTestDaemon({ dataDir, hubUrl: hub.url });
  expect(await daemon.install(`${hub.url}/spaces/ada/nod`)).toMatchObject({ state: 'done' });
  await hub.commit('ada/nod', { ...files, 'README.md': '# Newer', 'pics/me.png': 'none any more' });
  const readme = () => daemon.get('/api/apps/installed/nod/readme');
  expect(await readme()).toMatchObject({
    status: 200,
    body: { markdown: '# Nod\n\n![me](pics/me.png)', truncated: false },
  });
  const image = () => daemon.get('/api/apps/installed/nod/image?path=pics/me.png');
  expect(await image()).toMatchObject({ status: 200, body: shown });
  hub.misbehave({ status: 403 });
  expect((await image()).status).toBe(502);
  expect((await readme()).status).toBe(200);
});

test('an app from a folder shows the images of the folder; a link out of it is not followed', async () => {
  const folder = join(await mkdtemp(join(tmpdir(), 'readme-')), 'nod');
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), typeof content === 'object' && 'lfs' in content ? content.lfs : content);
  }
  await writeFile(join(folder, 'README.md'), `${frontMatter}${'# Nod\n'.repeat(20_000)}`);
  await using daemon = await startTestDaemon({ dataDir, hubUrl: NO_HUB });
  expect(await daemon.install(folder)).toMatchObject({ state: 'done' });
  const { body } = await daemon.get('/api/apps/installed/nod/readme');
  expect(body.truncated).toBe(true);
  expect(body.markdown.length).toBeLessThanOrEqual(64 * 1024);

  const outside = join(folder, '..', 'outside.png');
  await cp(join(folder, 'pics/me.png'), outside);
  await symlink(outside, join(folder, 'pics/link.png'));
  const image = async (path: string) => (await daemon.get(`/api/apps/installed/nod/image?path=${path}`)).status;
  expect(await image('pics/me.png')).toBe(200);
  expect(await image('pics/large.png')).toBe(422);
  expect([await image('pics/link.png'), await image('pics/none.png'), await image('pics')]).toEqual([404, 404, 404]);
  await rm(join(folder, '..'), { recursive: true, force: true });
  expect(await image('pics/me.png')).toBe(404);
  expect((await daemon.get('/api/apps/installed/nod/readme')).body.markdown).toMatch(/^# Nod/);
});
