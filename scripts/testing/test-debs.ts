import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';

/** Builds a deb from a folder that has DEBIAN/control, not compressed. */
async function build(folder: string, deb: string): Promise<string> {
  await execa('dpkg-deb', ['--root-owner-group', '-Znone', '--build', folder, deb]);
  return deb;
}

/**
 * A deb that provides what another one depends on, since the test's machine lacks some of that: dpkg checks it all the same.
 * @param folder gets the files
 */
export async function debOfDependencies(folder: string, deb: string): Promise<string> {
  const { stdout: depends } = await execa('dpkg-deb', ['--field', deb, 'Depends']);
  const names = depends.split(', ').map((one) => one.split(' | ')[0]);
  const fields = {
    Package: 'libraries-for-test',
    Version: '1',
    Architecture: 'all',
    Maintainer: 'Test <test@robot-desktop.invalid>',
    Description: 'nothing',
    Provides: names.join(', '),
  };
  const control = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`);
  const root = join(folder, 'libraries');
  await mkdir(join(root, 'DEBIAN'), { recursive: true });
  await chmod(join(root, 'DEBIAN'), 0o755);
  await writeFile(join(root, 'DEBIAN', 'control'), control.join(''));
  return build(root, `${root}.deb`);
}

/**
 * The same deb as an earlier version, with a file that the later one has no longer.
 * @param folder gets the files
 * @param file its path in the package
 */
export async function olderDeb(folder: string, deb: string, version: string, file: string): Promise<string> {
  const root = join(folder, 'older');
  await execa('dpkg-deb', ['--raw-extract', deb, root]);
  const control = join(root, 'DEBIAN', 'control');
  await writeFile(control, (await readFile(control, 'utf8')).replace(/^Version: .*$/m, `Version: ${version}`));
  for (const path of ['resources/package.json', 'resources/app/package.json']) {
    const manifest = join(root, 'opt', 'robot-desktop', path);
    await writeFile(manifest, JSON.stringify({ ...JSON.parse(await readFile(manifest, 'utf8')), version }));
  }
  await writeFile(join(root, file), '');
  return build(root, `${root}.deb`);
}
