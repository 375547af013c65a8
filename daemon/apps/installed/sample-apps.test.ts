import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AppPackage, writeAppPackage } from '../../testing/apps/app-packages.ts';
import { readSampleApps } from './shipped-apps.ts';

let samples: string;
beforeEach(async () => {
  samples = await mkdtemp(join(tmpdir(), 'samples-'));
});
afterEach(() => rm(samples, { recursive: true, force: true }));

const ship = (folder: string, app: AppPackage) => writeAppPackage(join(samples, folder), app);
const readme = (title: string) => `---\ntitle: ${title}\nemoji: 🐢\nshort_description: About ${title}.\n---\n# Text\n`;

test('a sample app has what its package declares, and the address of its folder', async () => {
  await ship('hello-wave', {
    name: 'hello_wave',
    readme: readme('Hello'),
    pyproject: (text) => `${text}needs.chat = { task = "text-generation" }\n`,
  });
  expect(await readSampleApps(samples)).toEqual([
    {
      name: 'hello_wave',
      title: 'Hello',
      description: 'About Hello.',
      emoji: '🐢',
      needs: [{ name: 'chat', task: 'text-generation', optional: false }],
      url: join(samples, 'hello-wave'),
      needsNetwork: false,
      icon: null,
    },
  ]);
});

test('sample apps are in the order of their titles, whatever their folders are called', async () => {
  // In neither order of the folders are the titles sorted.
  const titles = { a: 'Listen', b: 'Wave', c: 'Dance', d: 'Nod', e: 'Applaud', f: 'Zoom', g: 'Echo' };
  for (const [folder, title] of Object.entries(titles)) {
    await ship(folder, { name: `app_${folder}`, readme: readme(title) });
  }
  const found = await readSampleApps(samples);
  expect(found.map(({ title }) => title)).toEqual(Object.values(titles).sort());
  expect(found[0]).toMatchObject({ title: 'Applaud', name: 'app_e', url: join(samples, 'e') });
});

test.each<[string, boolean, Partial<AppPackage>]>([
  ['only the SDK', false, { dependencies: ['robot-sdk'] }],
  ['no package', false, { dependencies: [] }],
  ['the common libraries', true, { baseline: true }],
  ['another package', true, { dependencies: ['robot-sdk', 'numpy'] }],
  ['an extra of the SDK', true, { dependencies: ['robot-sdk[audio]'] }],
])('whether an app that needs %s needs the network to install: %s', async (_, needsNetwork, more) => {
  await ship('one', { name: 'one', ...more });
  expect(await readSampleApps(samples)).toMatchObject([{ name: 'one', needsNetwork }]);
});

test('files beside the folders, and folders without an app, are left out', async () => {
  await ship('one', { name: 'one' });
  await writeFile(join(samples, 'README.md'), readme('No app'));
  await mkdir(join(samples, 'empty'));
  await ship('broken', { name: 'broken', pyproject: () => '[project' });
  expect((await readSampleApps(samples)).map(({ name }) => name)).toEqual(['one']);
  await rm(join(samples, 'one'), { recursive: true });
  expect(await readSampleApps(samples)).toEqual([]);
});

test('a folder of samples that is missing is an error', async () => {
  await expect(readSampleApps(join(samples, 'nowhere'))).rejects.toMatchObject({ code: 'ENOENT' });
});
