import { expect, test } from 'vitest';
import { controlFile } from './control-file.ts';
import { parseFpmArguments } from './fpm-arguments.ts';

const given = [
  ...['-s', 'dir', '--force', '-t', 'deb', '-d', 'libgtk-3-0', '-d', 'a | b', '--deb-recommends', 'python3'],
  ...['--deb-compression', 'xz', '--architecture', 'amd64', '--after-install', '/t/postinst'],
  ...['--description', 'A robot\n First.\n\n Second.', '--version', '1.0.0~beta', '--package', '/out/robot.deb'],
  ...['--name', 'robot', '--maintainer', 'A <a@b.c>', '--url', 'https://b.c/', '--deb-compression-level=1'],
  ...['/t/unpacked/=/opt/robot', 'x.rules=/usr/lib/udev/rules.d/x.rules'],
];

test('the arguments of electron-builder become a control file', () => {
  const deb = parseFpmArguments(given);
  expect(deb).toMatchObject({
    output: '/out/robot.deb',
    scripts: { postinst: '/t/postinst' },
    compressionLevel: '1',
    files: [
      { from: '/t/unpacked/', to: '/opt/robot' },
      { from: 'x.rules', to: '/usr/lib/udev/rules.d/x.rules' },
    ],
  });
  expect(controlFile(deb, 42)).toBe(
    [
      'Package: robot',
      'Version: 1.0.0~beta',
      'Architecture: amd64',
      'Maintainer: A <a@b.c>',
      'Installed-Size: 42',
      'Depends: libgtk-3-0, a | b',
      'Recommends: python3',
      'Section: misc',
      'Priority: optional',
      'Homepage: https://b.c/',
      'Description: A robot',
      ' First.',
      ' .',
      ' Second.',
      '',
    ].join('\n'),
  );
});

test.each([
  [[...given, '--deb-systemd', 'x'], 'The argument --deb-systemd is not known.'],
  [[...given, '--name'], '--name needs a value.'],
  [['-s', 'dir', '-t', 'rpm'], 'This builds a deb from files: -s dir -t deb, not -s dir -t rpm.'],
  [[...given, 'a=/usr/../b'], '"a=/usr/../b" is no file with its place, like a=/usr/bin/a.'],
  [given.filter((argument) => !['--name', 'robot'].includes(argument)), '--name is missing.'],
])('bad arguments are refused: %#', (argv, message) => {
  expect(() => parseFpmArguments(argv)).toThrow(message);
});

test('a value cannot begin a field of its own', () => {
  const deb = { ...parseFpmArguments(given), vendor: 'A\nDepends: b' };
  expect(() => controlFile(deb, 1)).toThrow('The field Vendor must be one line');
});
