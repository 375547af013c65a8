import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeFiles, nodeProblem } from './packed-node.ts';

const node = { version: '24.21.0', platform: 'linux', arch: 'x64' };

test('a package gets a Node of its own system, not too old', () => {
  expect(nodeProblem(node, { platform: 'linux', arch: 'x64' })).toBeNull();
  expect(nodeProblem(node, { platform: 'win32', arch: 'x64' })).toBe(
    'A package for win32 x64 needs Node for it, and this is Node for linux x64. Build it on that system.',
  );
  expect(nodeProblem(node, { platform: 'linux', arch: 'arm64' })).toContain('this is Node for linux x64');
  expect(nodeProblem({ ...node, version: '22.12.0' }, node)).toBe(
    'A package needs Node 24 or newer, and this is 22.12.0. Install a newer one from nodejs.org.',
  );
});

test("Node's licence goes with it, and a Node without one is refused", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'robot-desktop-node-'));
  const program = join(folder.path, 'bin', 'node');
  await mkdir(join(folder.path, 'bin'));
  if (process.platform !== 'linux') await expect(nodeFiles(program)).rejects.toThrow('without its file LICENSE');
  await writeFile(join(folder.path, 'LICENSE'), '');
  expect(await nodeFiles(program)).toEqual({ program, licence: join(folder.path, 'LICENSE') });
});
