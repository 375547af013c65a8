import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { guardProgram } from './guard-program.ts';

/** Creates programs below a new folder. */
async function folderWith(...files: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'robot-desktop-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const file of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), '', { mode: 0o755 });
  }
  return folder;
}

const places = (
  folder: string,
  packaged: 'app.asar' | null,
  more: { platform?: NodeJS.Platform; path?: string } = {},
) =>
  ({
    appPath: packaged ? join(folder, packaged) : folder,
    resourcesPath: folder,
    isPackaged: packaged !== null,
    platform: 'linux',
    path: '',
    ...more,
  }) as const;

const GUARD = 'dist/node/guard.cjs';
const found = (node: string, program: string) => ({ node, args: expect.arrayContaining([program]) as string[] });

test('a package runs the guardian outside of its archive with the Node that it brings', async () => {
  const folder = await folderWith('node/bin/node', 'node/node.exe', GUARD);
  const program = join(folder, GUARD);
  expect(await guardProgram(places(folder, 'app.asar'))).toEqual(found(join(folder, 'node/bin/node'), program));
  expect(await guardProgram(places(folder, 'app.asar', { platform: 'win32' }))).toEqual(
    found(join(folder, 'node/node.exe'), program),
  );
});

test("a source tree runs it with the project's Node, else with the one on the path", async () => {
  const folder = await folderWith('node_modules/.bin/node', GUARD);
  expect(await guardProgram(places(folder, null))).toEqual(
    found(join(folder, 'node_modules/.bin/node'), join(folder, GUARD)),
  );
  const [bare, system] = [await folderWith(GUARD), await folderWith('node')];
  expect(await guardProgram(places(bare, null, { path: system }))).toEqual(
    found(join(system, 'node'), join(bare, GUARD)),
  );
});

test('an installation without Node, or without the program, has no guardian', async () => {
  const [system, withoutNode] = [await folderWith('node'), await folderWith(GUARD)];
  expect(await guardProgram(places(withoutNode, 'app.asar', { path: system }))).toBeNull();
  expect(await guardProgram(places(system, null, { path: system }))).toBeNull();
});
