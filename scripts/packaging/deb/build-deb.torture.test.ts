import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectDir } from '../../environment/project.ts';

const program = join(projectDir, 'scripts', 'packaging', 'deb', 'build-deb.ts');
const hasDpkg = existsSync('/usr/bin/dpkg-deb');

describe.skipIf(!hasDpkg)(`a deb${hasDpkg ? '' : ' (skipped: dpkg-deb is not installed)'}`, () => {
  let folder: string;
  const build = async (name: string, umask: string, ...more: string[]) => {
    const deb = join(folder, name);
    const needed = ['-s', 'dir', '-t', 'deb', '--name', 'robot', '--version', '1.0', '--architecture', 'all'];
    const texts = ['--maintainer', 'A <a@b.c>', '--description', 'A robot', '--after-remove', join(folder, 'script')];
    const files = [`${join(folder, 'files')}/=/opt/robot`, `${join(folder, 'script')}=/etc/robot.conf`];
    const argv = [program, ...needed, ...texts, '--deb-compression', 'gz', '--package', deb, ...more, ...files];
    await execa('sh', ['-c', `umask ${umask}; exec "$@"`, 'sh', process.execPath, ...argv], {
      env: { SOURCE_DATE_EPOCH: '1700000000' },
    });
    return deb;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'robot-desktop-build-deb-'));
    await mkdir(join(folder, 'files', 'sub'), { recursive: true });
    await writeFile(join(folder, 'script'), '#!/bin/sh\n');
    await writeFile(join(folder, 'files', 'program'), 'x');
    await chmod(join(folder, 'files', 'program'), 0o700);
    await writeFile(join(folder, 'files', 'sub', 'text'), 'y');
    await chmod(join(folder, 'files', 'sub', 'text'), 0o666);
    await symlink('program', join(folder, 'files', 'link'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('it has the permissions of a package, checksums, settings and scripts', async () => {
    const deb = await build('one.deb', '022');
    const { stdout } = await execa('dpkg-deb', ['--contents', deb]);
    expect(stdout.split('\n').map((line) => line.replace(/ +\d+ \d{4}-\d\d-\d\d \d\d:\d\d/, ''))).toEqual([
      'drwxr-xr-x root/root ./',
      'drwxr-xr-x root/root ./etc/',
      '-rw-r--r-- root/root ./etc/robot.conf',
      'drwxr-xr-x root/root ./opt/',
      'drwxr-xr-x root/root ./opt/robot/',
      '-rwxr-xr-x root/root ./opt/robot/program',
      'drwxr-xr-x root/root ./opt/robot/sub/',
      '-rw-r--r-- root/root ./opt/robot/sub/text',
      'lrwxrwxrwx root/root ./opt/robot/link -> program',
    ]);
    const read = async (name: string) => (await execa('dpkg-deb', ['--info', deb, name])).stdout;
    expect(await read('conffiles')).toBe('/etc/robot.conf');
    expect(await read('postrm')).toBe('#!/bin/sh');
    expect(await read('control')).toContain('Installed-Size: 8\n');
    expect((await read('md5sums')).split('\n').map((line) => line.slice(34))).toEqual([
      'etc/robot.conf',
      'opt/robot/program',
      'opt/robot/sub/text',
    ]);
  });

  test('the same files make the same package, whoever builds it', async () => {
    const [one, two] = [await build('two.deb', '022'), await build('three.deb', '077')];
    expect((await readFile(one)).equals(await readFile(two))).toBe(true);
  });

  test('what it does not know is an error, in a sentence', async () => {
    await expect(build('four.deb', '022', '--deb-systemd', 'x')).rejects.toMatchObject({
      exitCode: 2,
      stderr: 'build-deb: The argument --deb-systemd is not known.',
    });
  });
});
