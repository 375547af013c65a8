import { mkdir, mkdtempDisposable, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { pngPicture, svgPicture } from '../../testing/apps/pictures.ts';
import { findIcon, iconAddressIn, iconFindings, NoIconToShow, readIcon } from './package-icon.ts';

let folder: string;
beforeEach(async () => {
  const temporary = await mkdtempDisposable(join(await realpath(tmpdir()), 'package-icon-'));
  onTestFinished(() => temporary.remove());
  folder = join(temporary.path, 'app');
  await mkdir(folder);
});
const save = (file: string, content: string | Buffer) => writeFile(join(folder, file), content);

test('a package without an icon has none, and nothing is found about it', async () => {
  expect(await findIcon(folder)).toBeNull();
  expect(await findIcon(join(folder, 'gone'))).toBeNull();
  expect(await iconAddressIn(folder, '/api/apps/own/a')).toBeNull();
  expect(await iconFindings(folder)).toEqual([]);
  await expect(readIcon(folder)).rejects.toThrow(new NoIconToShow('The app has no icon.'));
});

test('icon.svg comes before icon.png, which comes before none', async () => {
  await save('icon.png', pngPicture());
  expect(await readIcon(folder)).toEqual({ type: 'image/png', bytes: pngPicture() });
  await save('icon.svg', svgPicture());
  expect(await readIcon(folder)).toEqual({ type: 'image/svg+xml', bytes: Buffer.from(svgPicture()) });
  expect(await iconFindings(folder)).toEqual([]);
});

test('the type is that of the content, whatever the file is called', async () => {
  await save('icon.svg', pngPicture());
  expect(await readIcon(folder)).toMatchObject({ type: 'image/png' });
});

test('another picture has another address', async () => {
  await save('icon.svg', svgPicture());
  const first = await iconAddressIn(folder, '/api/apps/own/a');
  expect(first).toMatch(/^\/api\/apps\/own\/a\/icon\?version=[0-9a-f]{16}$/);
  expect(await iconAddressIn(folder, '/api/apps/own/a')).toBe(first);
  await save('icon.svg', svgPicture('<rect/>'));
  expect(await iconAddressIn(folder, '/api/apps/own/a')).not.toBe(first);
});

test('a link within the package is followed', async () => {
  await mkdir(join(folder, 'art'));
  await save('art/sun.svg', svgPicture());
  await symlink('art/sun.svg', join(folder, 'icon.svg'));
  expect(await readIcon(folder)).toMatchObject({ type: 'image/svg+xml' });
});

test.each<[string, () => Promise<unknown>, string]>([
  ['a script', () => save('icon.svg', svgPicture('<script/>')), 'icon.svg has a script, so it is not shown.'],
  ['a folder in its place', () => mkdir(join(folder, 'icon.png')), 'icon.png is a folder, so it is not shown.'],
  [
    'a link out of the package',
    async () => {
      await save('../secret.svg', svgPicture());
      await symlink('../secret.svg', join(folder, 'icon.svg'));
    },
    'icon.svg is a link that leads to no file of the package, so it is not shown.',
  ],
  [
    'a link to nothing',
    () => symlink('nothing', join(folder, 'icon.svg')),
    'icon.svg is a link that leads to no file of the package, so it is not shown.',
  ],
  ['words', () => save('icon.png', 'words'), 'icon.png is neither an SVG nor a PNG picture, so it is not shown.'],
])('an icon with %s is refused with a sentence, and is a warning for its author', async (_, prepare, problem) => {
  await prepare();
  const file = problem.split(' ', 1)[0] ?? '';
  expect(await findIcon(folder)).toEqual({ file, problem });
  expect(await iconFindings(folder)).toEqual([{ severity: 'warning', code: 'bad-icon', message: problem, file }]);
  expect(await iconAddressIn(folder, '/api/apps/own/a')).toBeNull();
  await expect(readIcon(folder)).rejects.toThrow(new NoIconToShow(problem));
});

test('an icon that is refused is not replaced by the other file', async () => {
  await save('icon.svg', 'words');
  await save('icon.png', pngPicture());
  expect(await findIcon(folder)).toMatchObject({ file: 'icon.svg' });
  await rm(join(folder, 'icon.svg'));
  expect(await findIcon(folder)).toMatchObject({ type: 'image/png' });
});
