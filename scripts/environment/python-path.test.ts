import { chmod, mkdir, mkdtempDisposable, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { withRealPython } from './python-path.ts';

const { stdout: python } = await execa('python3', ['-I', '-c', 'import sys; print(sys.executable)']);

async function program(folder: string, text: string): Promise<string> {
  await mkdir(folder);
  await writeFile(join(folder, 'python3'), text);
  await chmod(join(folder, 'python3'), 0o755);
  return folder;
}

test('the real python3 comes before a script that finds it, after the folders before that', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'robot-desktop-python-'));
  const shims = await program(join(folder.path, 'shims'), `#!/bin/sh\nexec ${python} "$@"\n`);
  const path = ['/nowhere', shims, '/usr/bin'];
  const expected = ['/nowhere', dirname(python), shims, '/usr/bin'];
  expect(await withRealPython(path.join(delimiter))).toBe(expected.join(delimiter));
});

test('PATH stays when python3 is a program, a script that fails, or is missing', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'robot-desktop-python-'));
  const broken = await program(join(folder.path, 'broken'), '#!/bin/sh\nexit 1\n');
  const linked = join(folder.path, 'linked');
  await symlink(dirname(python), linked);
  for (const path of [dirname(python), linked, broken, '/nowhere', '']) expect(await withRealPython(path)).toBe(path);
});
