/** Each rule of our own for Biome must report a planted violation. */
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectDir } from './environment/project.ts';

let tree: string;

beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'robot-desktop-rules-'));
  for (const path of ['biome.json', 'scripts/lint'])
    await cp(join(projectDir, path), join(tree, path), { recursive: true });
  await symlink(join(projectDir, 'node_modules'), join(tree, 'node_modules'));
});
afterAll(() => rm(tree, { recursive: true, force: true }));

/** The output of Biome for a file with this text. */
async function lint(file: string, text: string, ...options: string[]): Promise<string> {
  const path = join(tree, file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  const program = join(projectDir, 'node_modules', '.bin', 'biome');
  const { failed, all } = await execa(program, ['lint', ...options, file], { cwd: tree, all: true, reject: false });
  await rm(path);
  return failed ? all : 'nothing found';
}

test('biome finds child processes that are started without execa', async () => {
  const spawning = "import { spawn } from 'node:child_process';\nexport const y = spawn;\n";
  expect(await lint('daemon/apps/a.ts', spawning)).toContain('Start child processes with execa');
  expect(await lint('e2e/electron-standin/a.ts', spawning)).toBe('nothing found');
});

test('biome finds what asks the system for the time in place of a clock', async () => {
  const asking = ['setTimeout(f, 1)', 'setInterval(f, 1)', 'Date.now()', 'new Date()', 'performance.now()'];
  const all = [...asking, 'AbortSignal.timeout(1)', 'new Date(5)', 'Date.parse("1")', 'sleep(1)'];
  const waiting = `import { setTimeout as sleep } from 'node:timers/promises';\nexport const all = (f: () => void) => [${all.join()}];\n`;
  const taking = `import { type Clock, systemClock } from '../shared/clock.ts';\nexport const c: Clock = systemClock;\n`;
  const found = async (file: string, text: string) => {
    const output = await lint(file, text, '--reporter=github');
    return output.match(/(?<=::)(Time comes from a Clock|The clock is passed in)/g) ?? [];
  };
  expect(await found('daemon/apps/a.ts', waiting)).toHaveLength(7);
  expect(await found('electron/a.ts', waiting)).toHaveLength(7);
  expect(await found('daemon/apps/a.ts', taking)).toEqual(['The clock is passed in']);
  for (const file of ['daemon/create-a.ts', 'daemon/cli/a.ts', 'daemon/shared/processes/a.ts'])
    expect(await found(file, taking)).toEqual([]);
  expect(await found('daemon/shared/clock.ts', waiting)).toEqual([]);
});
