import { mkdir, mkdtemp, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from 'tar';
import { expect, onTestFinished, test } from 'vitest';
import { findProgram, unpackArchive } from './unpack-archive.ts';

async function setup(fill: (folder: string) => Promise<void>, options: { readonly preservePaths?: boolean } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'unpack-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const source = join(folder, 'source');
  await mkdir(join(source, 'llama-b1'), { recursive: true });
  await fill(join(source, 'llama-b1'));
  const archive = join(folder, 'a.tar.gz');
  await create({ file: archive, cwd: source, gzip: true, ...options }, ['llama-b1']);
  const target = join(folder, 'target');
  return { folder, archive, target, unpack: () => unpackArchive(archive, target, new AbortController().signal) };
}

test('files, folders and links to files beside them are unpacked', async () => {
  const { target, unpack } = await setup(async (folder) => {
    await mkdir(join(folder, 'bin'));
    await writeFile(join(folder, 'bin', 'llama-server'), 'program', { mode: 0o755 });
    await writeFile(join(folder, 'libllama.so.0.1'), 'library');
    await symlink('libllama.so.0.1', join(folder, 'libllama.so'));
  });
  await unpack();
  expect(await readlink(join(target, 'llama-b1', 'libllama.so'))).toBe('libllama.so.0.1');
  const program = await findProgram(target, 'llama-server');
  expect(program).toBe(join(target, 'llama-b1', 'bin', 'llama-server'));
  expect(await readFile(program ?? '', 'utf8')).toBe('program');
  expect(await findProgram(target, 'other')).toBeNull();
});

test.each(['../../outside', '/etc/passwd', 'a/b', '..'])('a link to %s is refused', async (to) => {
  const { target, unpack } = await setup((folder) => symlink(to, join(folder, 'link')));
  await expect(unpack()).rejects.toThrow('is neither a file nor a folder');
  await expect(readlink(join(target, 'llama-b1', 'link'))).rejects.toThrow('ENOENT');
});

test('a path that leads outside is refused, and nothing is written there', async () => {
  const { folder, archive, target } = await setup(async () => {});
  await writeFile(join(folder, 'evil'), 'evil');
  await mkdir(join(folder, 'deep'));
  await create({ file: archive, cwd: join(folder, 'deep'), gzip: true, preservePaths: true }, ['../evil']);
  await rm(join(folder, 'evil'));
  await expect(unpackArchive(archive, join(target, 'x'), new AbortController().signal)).rejects.toThrow(/outside|\.\./);
  await expect(readFile(join(target, 'evil'))).rejects.toThrow('ENOENT');
});

test('no archive at all, a damaged one, and one that ends early', async () => {
  const { archive, unpack } = await setup((folder) => writeFile(join(folder, 'a'), Buffer.alloc(100_000, 'abc')));
  const bytes = await readFile(archive);
  for (const damaged of [Buffer.from('no archive'), bytes.subarray(0, bytes.length / 2), bytes.fill(1, 100, 120)]) {
    await writeFile(archive, damaged);
    await expect(unpack()).rejects.toThrow('The archive is damaged');
  }
});
