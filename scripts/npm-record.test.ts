import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectDir } from './environment/project.ts';
import { isInstalled } from './npm-record.mjs';

const linux = { platform: 'linux', arch: 'x64' };
const lock = {
  packages: {
    '': { version: '0.1.0' },
    'node_modules/plain': { version: '1.0.0', integrity: 'sha512-a' },
    'node_modules/plain/node_modules/inner': { version: '2.0.0', integrity: 'sha512-b' },
    'node_modules/for-linux': { version: '1.0.0', integrity: 'sha512-c', optional: true, os: ['linux'], cpu: ['x64'] },
    'node_modules/for-mac': { version: '1.0.0', integrity: 'sha512-d', optional: true, os: ['darwin'] },
    'node_modules/not-for-linux': { version: '1.0.0', integrity: 'sha512-e', optional: true, os: ['!linux'] },
    'node_modules/for-musl': { version: '1.0.0', integrity: 'sha512-f', optional: true, os: ['linux'], libc: ['musl'] },
    'node_modules/of-for-mac': { version: '1.0.0', integrity: 'sha512-g', optional: true },
    'node_modules/tool': { version: '1.0.0', integrity: 'sha512-h', dev: true },
  },
};
type Packages = Record<string, { version: string; integrity: string }>;
const { plain, inner, forLinux, tool } = {
  plain: { 'node_modules/plain': lock.packages['node_modules/plain'] },
  inner: { 'node_modules/plain/node_modules/inner': lock.packages['node_modules/plain/node_modules/inner'] },
  forLinux: { 'node_modules/for-linux': lock.packages['node_modules/for-linux'] },
  tool: { 'node_modules/tool': lock.packages['node_modules/tool'] },
};
const after = (...packages: readonly Packages[]) => ({ packages: Object.assign({}, ...packages) as Packages });

test('the packages that npm installed on this system are recognised', () => {
  expect(isInstalled(lock, after(plain, inner, forLinux, tool), linux)).toBe(true);
  const musl = { 'node_modules/for-musl': lock.packages['node_modules/for-musl'] };
  expect(isInstalled(lock, after(plain, inner, forLinux, tool, musl), linux)).toBe(true);
});

test.each([
  ['no record', {}],
  ['a missing package', after(plain, forLinux, tool)],
  ['a missing package for this system', after(plain, inner, tool)],
  [
    'another version',
    after(plain, inner, forLinux, tool, { 'node_modules/plain': { version: '1.0.1', integrity: 'sha512-a' } }),
  ],
  [
    'other content',
    after(plain, inner, forLinux, tool, { 'node_modules/plain': { version: '1.0.0', integrity: 'sha512-z' } }),
  ],
  [
    'a package that is not wanted',
    after(plain, inner, forLinux, tool, { 'node_modules/old': { version: '1.0.0', integrity: '' } }),
  ],
  [
    'a package for another system',
    after(plain, inner, forLinux, tool, { 'node_modules/for-mac': lock.packages['node_modules/for-mac'] }),
  ],
])('%s is not recognised', (_name, record) => {
  expect(isInstalled(lock, record, linux)).toBe(false);
});

test('without packages for development, a start is possible, and no test', () => {
  expect(isInstalled(lock, after(plain, inner, forLinux), linux, true)).toBe(true);
  expect(isInstalled(lock, after(plain, inner, forLinux, tool), linux, true)).toBe(true);
  expect(isInstalled(lock, after(plain, forLinux, tool), linux, true)).toBe(false);
  expect(isInstalled(lock, after(plain, inner, forLinux), linux)).toBe(false);
});

test('a copy from another system is not recognised', () => {
  expect(isInstalled(lock, after(plain, inner, forLinux, tool), { platform: 'darwin', arch: 'arm64' })).toBe(false);
  expect(isInstalled(lock, after(plain, inner, forLinux, tool), { platform: 'linux', arch: 'arm64' })).toBe(false);
});

test("npm's real record is understood", async () => {
  const read = async (path: string) => JSON.parse(await readFile(join(projectDir, path), 'utf8'));
  const record = await read('node_modules/.package-lock.json');
  expect(isInstalled(record, record, process)).toBe(true);
  expect(Object.keys(record.packages).length).toBeGreaterThan(100);
});

test('npm, on an old Node, leaves out none but copies of Node', async () => {
  // npm leaves out optional packages that refuse the Node that installs.
  const { optionalDependencies } = JSON.parse(await readFile(join(projectDir, 'package.json'), 'utf8'));
  expect(Object.keys(optionalDependencies).filter((name) => !name.startsWith('node-'))).toEqual([]);
});
