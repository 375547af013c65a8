import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { packagesDirOf } from '../python/python-env.ts';
import { missingPart } from './missing-part.ts';

/** An environment with distributions, each given as its folder and its files. */
async function environment(distributions: Readonly<Record<string, readonly string[]>>) {
  const folder = await mkdtempDisposable(join(tmpdir(), 'missing-part-'));
  await mkdir(join(folder.path, 'lib', 'python3.12', 'site-packages'), { recursive: true });
  const packages = (await packagesDirOf(folder.path)) as string;
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(packages, path)), { recursive: true });
    await writeFile(join(packages, path), text);
  };
  for (const [distribution, files] of Object.entries(distributions)) {
    for (const file of files) await write(file, '');
    const record = files.map((file) => `${file},sha256=x,0\n`).join('');
    await write(`${distribution}.dist-info/RECORD`, record);
  }
  return folder;
}

test.each([
  ["ModuleNotFoundError: No module named 'sounds.live'", { module: 'sounds.live', owner: ['sound-files', '2.1'] }],
  ["No module named 'sounds.core.live'", { module: 'sounds.core.live', owner: ['sounds-core', '0.3.post1'] }],
  ["No module named 'tone.live'; 'tone' is not a package", { module: 'tone.live', owner: ['tone', '1'] }],
  ["No module named 'google.genai'", { module: 'google.genai', owner: null }],
  ["No module named 'sounds'", null],
  ["No module named 'email.live'", null], // Python's own
  ['something else', null],
])('%s', async (line, expected) => {
  await using env = await environment({
    'other-3': ['other/__init__.py', 'other/sounds/__init__.py'],
    'sound_files-2.1': ['sounds/__init__.py', 'sounds/io.py'],
    'sounds_core-0.3.post1': ['sounds/core/__init__.py'],
    'tone-1': ['tone.py'],
    'google_cloud-4': ['google/cloud/__init__.py'],
  });
  const found = await missingPart(['earlier', line, 'later'], env.path);
  expect(found && { ...found, owner: found.owner && [found.owner.name, found.owner.version] }).toEqual(expected);
});

test('the last one that is named counts; without an environment none is known', async () => {
  await using env = await environment({ 'a-1': ['a/__init__.py'], 'b-1': ['b/__init__.py'] });
  const lines = ["No module named 'a.x'", "No module named 'b.y'"];
  expect(await missingPart(lines, env.path)).toMatchObject({ module: 'b.y', owner: { name: 'b' } });
  expect(await missingPart(lines, join(env.path, 'nothing'))).toBeNull();
});
